import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '../apps/app.ts';

/** An app that is a script in a folder of its own below the home's data. For tests. */
export function scriptApp(name: string, script: string): App {
  return {
    name,
    ports: {},
    secrets: [],
    async prepare({ home, environment }) {
      const cwd = join(home.data, name);
      await mkdir(cwd, { recursive: true });
      await writeFile(join(cwd, 'app.mjs'), script);
      const endpoint = join(cwd, 'endpoint.json');
      return { file: process.execPath, args: ['app.mjs'], env: environment, cwd, endpoint };
    },
    tell: ({ origin }) => ({ facts: { origin }, addresses: [], clients: {} }),
  };
}

/** The beginning of a script that says that it is ready, as every app does, and goes on. */
export const ready = `
  import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
  const startTime = Number(readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')[19]);
  const facts = { pid: process.pid, startTime, origin: 'http://127.0.0.1:1' };
  writeFileSync('endpoint.new', JSON.stringify(facts));
  renameSync('endpoint.new', 'endpoint.json');
  setInterval(() => {}, 1000);
`;
