#!/usr/bin/env node
/**
 * Makes sure that the tests find the programs of others that they drive: Chromium and nginx. Takes Debian's when that is possible and
 * allowed (PORTOLAN_NO_INSTALL=1 forbids it), and says so.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** nginx is only unpacked: installing it would start a server on port 80. */
const unpacked = `${root}node_modules/.cache/nginx`;

const programs = [
  {
    name: 'Chromium',
    places: [
      process.env.PORTOLAN_CHROMIUM,
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
    ],
    command: 'apt-get update && apt-get install -y --no-install-recommends chromium',
    isNeeded: true,
  },
  {
    name: 'nginx',
    places: [process.env.PORTOLAN_NGINX, '/usr/sbin/nginx', `${unpacked}/usr/sbin/nginx`],
    command: `apt-get update && mkdir -p '${unpacked}' && cd '${unpacked}' && apt-get download nginx && dpkg-deb -x nginx_*.deb .`,
    isNeeded: false,
  },
];

const mayInstall =
  process.getuid?.() === 0 && existsSync('/etc/debian_version') && !process.env.PORTOLAN_NO_INSTALL;

for (const { name, places, command, isNeeded } of programs) {
  if (places.some((place) => place && existsSync(place))) continue;
  if (mayInstall) {
    console.error(`${name} is missing; taking Debian's with: ${command}`);
    const { status } = spawnSync('sh', ['-c', command], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (status !== 0 && isNeeded) process.exit(status ?? 1);
  } else {
    const consequence = isNeeded ? 'the tests need it' : 'its tests will be skipped';
    console.error(`${name} was not found, and ${consequence}. Get it with:\n  ${command}`);
    if (isNeeded) process.exit(1);
  }
}
