import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { ProjectFolder } from '../project/folder.ts';
import { environment } from './process.ts';
import type { Ran } from './terminal.ts';

const bin = fileURLToPath(new URL('../../bin/saivage.mjs', import.meta.url));

/** One command of the built program in a process of its own, with Saivage's secrets in its environment. */
export function runProcess(
  args: readonly string[],
  { root }: ProjectFolder,
): { readonly child: ChildProcess; readonly ran: Promise<Ran> } {
  const child = spawn(process.execPath, [bin, ...args], {
    env: environment,
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  let complaint = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const closed = once(child, 'close') as Promise<[number | null]>;
  return {
    child,
    ran: closed.then(([code]) => ({
      code: code ?? -1,
      out: out.trimEnd(),
      complaint: complaint.trimEnd(),
    })),
  };
}
