import { Client, type Transport } from '@modelcontextprotocol/client';
import { processScopes, type Scope } from '@portolan/process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { textOf } from './holders.ts';
import { environment } from './servers.ts';

/** An open way to the tool `echo` of one server. */
export interface EchoCaller {
  echo(message: string): Promise<string>;
  close(): Promise<unknown>;
}

/** The caller, whose close takes something else with it. */
export function closedWith(caller: EchoCaller, end: () => Promise<unknown>): EchoCaller {
  return {
    ...caller,
    async close() {
      try {
        await caller.close();
      } finally {
        await end();
      }
    },
  };
}

/** How long a program between may take until it answers, in milliseconds. */
const READY_MS = 60_000;

/** Starts a program of npm, contained, and connects the official client to it. */
export async function throughProgram(
  name: string,
  args: readonly string[],
  home: string,
  transport: () => Transport,
): Promise<EchoCaller> {
  const scopes = await processScopes();
  const env = { ...environment, HOME: home };
  const words = [scriptOf(name), ...args];
  const scope = await scopes.start({ command: process.execPath, args: words, env, cwd: home });
  scope.stdout.resume();
  scope.stderr.resume();
  try {
    const caller = await echoOver(transport);
    return closedWith(caller, () => ended(scope));
  } catch (error) {
    await ended(scope);
    throw error;
  }
}

const ended = (scope: Scope) => scope.end({ grace: 2_000 });

/** The official client, as soon as there is an `echo` to call. */
export async function echoOver(transport: () => Transport): Promise<EchoCaller> {
  for (const end = performance.now() + READY_MS; ;) {
    const client = new Client({ name: 'bench', version: '1.0.0' });
    try {
      await client.connect(transport());
      const { tools } = await client.listTools();
      const echo = tools.find(({ name }) => /(^|__)echo$/.test(name));
      if (!echo) throw new Error('there is no echo');
      return {
        echo: async (message) => textOf(await client.callTool({ name: echo.name, arguments: { message } })),
        close: () => client.close(),
      };
    } catch (error) {
      await client.close();
      if (performance.now() > end) throw error;
      await pause(100);
    }
  }
}

/** The script behind the command of a package. Its manifest is looked for as a file: not every package shows it. */
export function scriptOf(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const folder = folders.map((one) => join(one, name)).find((one) => existsSync(join(one, 'package.json')));
  if (folder === undefined) throw new Error(`${name} is not installed`);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const script = typeof bin === 'string' ? bin : bin[name];
  if (script === undefined) throw new Error(`${name} has no command of its name`);
  return join(folder, script);
}
