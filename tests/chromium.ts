import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Where Chromium is looked for, in this order. `PORTOLAN_CHROMIUM` names another one. */
const places = [
  process.env.PORTOLAN_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Path of the system's Chromium. Throws where there is none. */
export function findChromium(): string {
  const path = places.find((place) => place && existsSync(place));
  if (!path) throw new Error('No Chromium found. On Debian: apt-get install -y chromium');
  return path;
}

/** Starts the system's Chromium, headless, and silent towards the network beyond the pages of the test. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
