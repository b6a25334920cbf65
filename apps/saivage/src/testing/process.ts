import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { freePort } from '@portolan/process/testing';
import { onTestFinished } from 'vitest';
import type { ProjectFolder } from '../project/folder.ts';
import { analystToken, apiToken } from './server.ts';

const bin = fileURLToPath(new URL('../../bin/saivage.mjs', import.meta.url));

/** A server in a process of its own, from the built program. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly origin: string;
  readonly analystUrl: string;
  readonly analystPort: number;
  readonly analystPath: string;
  /** What it printed until it was ready. */
  readonly printed: readonly string[];
  /** What it wrote to its log so far. */
  readonly logged: () => string;
  /** Ends it by a signal and answers its exit code, or the signal that killed it. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** The environment of a child: none of ours, so that no variable of the developer's changes a test. */
export const environment = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  // What belongs to other programs must change nothing.
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  SAIVAGE_PORT: '1',
  SAIVAGE_ANALYST_PORT: '1',
  SAIVAGE_API_TOKEN: apiToken,
  SAIVAGE_ANALYST_MCP_TOKEN: analystToken,
};

/** Starts `saivage start --analyst-mode both …` and waits until it says where it is. */
export async function startProcess({ root }: ProjectFolder, host = '127.0.0.1'): Promise<ServerProcess> {
  const port = await freePort();
  const operator = ['--project-root', root, '--host', host, '--port', '0'];
  const analyst = ['--analyst-mode', 'both', '--analyst-mcp-port', String(port)];
  const names = [
    '--analyst-mcp-principal',
    'local-operator',
    '--analyst-mcp-tools',
    'get_status,show_config,read',
  ];
  const child = spawn(process.execPath, [bin, 'start', ...operator, ...analyst, ...names], {
    env: environment,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const printed = await firstLines(child.stdout, 3).catch(() => {
    throw new Error(`The server ended: ${log}`);
  });
  const analystUrl = /^Analyst MCP endpoint: (.*)$/.exec(printed[2] ?? '')?.[1] ?? '';
  return {
    child,
    origin: /^Operator API: (.*)$/.exec(printed[1] ?? '')?.[1] ?? '',
    analystUrl,
    analystPort: port,
    analystPath: new URL(analystUrl).pathname,
    printed,
    logged: () => log,
    async end(signal) {
      child.kill(signal);
      const [code, killer] = await exited;
      return code ?? killer ?? 'SIGKILL';
    },
  };
}

/** The same for one test, which it does not survive. */
export async function processOfTest(folder: ProjectFolder): Promise<ServerProcess> {
  const server = await startProcess(folder);
  onTestFinished(() => void server.child.kill('SIGKILL'));
  return server;
}

/** The first lines of an output. Throws when it ends before. */
async function firstLines(output: Readable, count: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: output })) {
    if (lines.push(line) === count) return lines;
  }
  throw new Error('The output ended.');
}
