#!/usr/bin/env node
/** Makes sure that the tests find Chromium: installs Debian's when that is possible and allowed, and says so. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const places = [
  process.env.PORTOLAN_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const command = 'apt-get update && apt-get install -y --no-install-recommends chromium';

if (!places.some((place) => place && existsSync(place))) {
  const mayInstall =
    process.getuid?.() === 0 && existsSync('/etc/debian_version') && !process.env.PORTOLAN_NO_INSTALL;
  if (!mayInstall) {
    console.error(`The browser tests need Chromium and none was found. Install it with:\n  ${command}`);
    process.exit(1);
  }
  console.error(`Chromium is missing; installing it with: ${command}`);
  const { status } = spawnSync('sh', ['-c', command], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) process.exit(status ?? 1);
}
