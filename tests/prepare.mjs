#!/usr/bin/env node
/**
 * Makes sure that the tests find the programs of others that they drive: Chromium and nginx. Takes Debian's when that is possible and
 * allowed (PORTOLAN_NO_INSTALL=1 forbids it), and says so. A program is there when it answers: what was broken off may have left half.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** nginx is only unpacked: installing it would start a server on port 80. It comes to its place when it has answered. */
const unpacked = `${root}node_modules/.cache/nginx`;

/** A slow mirror is asked again, another user of the package database waited for. */
const apt =
  'apt-get -qq -o Acquire::Retries=3 -o Acquire::http::Timeout=30 -o Acquire::https::Timeout=30 -o DPkg::Lock::Timeout=300';

const programs = [
  {
    name: 'Chromium',
    places: [
      process.env.PORTOLAN_CHROMIUM,
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
    ],
    question: '--version',
    command: `${apt} update; ${apt} install -y --no-install-recommends chromium`,
    isNeeded: true,
  },
  {
    name: 'nginx',
    places: [process.env.PORTOLAN_NGINX, '/usr/sbin/nginx', `${unpacked}/usr/sbin/nginx`],
    question: '-v',
    command:
      `${apt} update; rm -rf '${unpacked}' '${unpacked}.new' && mkdir -p '${unpacked}.new' && cd '${unpacked}.new' && ` +
      `${apt} download nginx && dpkg-deb -x nginx_*.deb . && ./usr/sbin/nginx -v && mv '${unpacked}.new' '${unpacked}'`,
    isNeeded: false,
  },
];

/** Longest time for one program, in seconds. */
const PATIENCE_S = '600';

/** Two runs at once take turns, and the second one asks again: what the first one has fetched is in use by then. */
const turns = '/var/lib/apt/lists';

const mayInstall =
  process.getuid?.() === 0 && existsSync('/etc/debian_version') && !process.env.PORTOLAN_NO_INSTALL;

for (const program of programs) {
  if (isThere(program)) continue;
  const { name, command, isNeeded } = program;
  if (mayInstall) {
    console.error(`${name} is missing; taking Debian's with: ${command}`);
    install(program);
    if (isThere(program)) continue;
  }
  const consequence = isNeeded ? 'the tests need it' : 'its tests will be skipped';
  console.error(`${name} was not found, and ${consequence}. Get it with:\n  ${command}`);
  if (isNeeded) process.exit(1);
}

function isThere({ places, question }) {
  return places.some(
    (place) => place && existsSync(place) && spawnSync(place, [question], { stdio: 'ignore' }).status === 0,
  );
}

function install({ places, question, command }) {
  const answers = places.filter(Boolean).map((place) => `'${place}' ${question} >/dev/null 2>&1`);
  const script = [...answers, `{ ${command}; }`].join(' || ');
  spawnSync('timeout', [PATIENCE_S, 'flock', turns, 'sh', '-c', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
