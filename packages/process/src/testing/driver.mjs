// Starts commands in scopes, as a process of its own that a test can run under another user, or kill.
// The first line of its input is a JSON task; each further line ends the scopes,
// and so does the end of input. It answers in JSON lines.
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { levels, openScopes } from './dist/scopes.js';

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const openFiles = () => readdirSync('/proc/self/fd').length;
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function hold({ launches, grace }, scopes) {
  const running = await Promise.all(launches.map((launch) => scopes.start(launch)));
  const said = running.map(() => '');
  const read = running.map(({ stdout }, index) => {
    stdout.on('data', (chunk) => (said[index] += chunk));
    return finished(stdout);
  });
  say({ pids: running.map(({ pid }) => pid) });
  while (!(await lines.next()).done) {
    const ends = await Promise.all(running.map((scope) => scope.end({ grace })));
    if (ends.every(({ contained }) => contained)) await Promise.all(read);
    const exits = await Promise.all(running.map(({ exited }) => exited));
    say({ ends, exits, said });
  }
  await Promise.all(running.map((scope) => scope.end({ grace: 0 })));
}

async function repeat({ launches, grace, rounds }, scopes) {
  let contained = 0;
  const once = async () => {
    for (const launch of launches) {
      const scope = await scopes.start(launch);
      contained += (await scope.end({ grace })).contained ? 1 : 0;
    }
  };
  await once();
  const before = openFiles();
  for (let round = 1; round < rounds; round++) await once();
  say({ contained, openFiles: openFiles() - before });
}

const task = JSON.parse((await lines.next()).value);
try {
  const scopes = await openScopes(levels.filter(({ name }) => name === task.level));
  await (task.rounds ? repeat(task, scopes) : hold(task, scopes));
} catch (error) {
  say({ refused: error.message });
}
