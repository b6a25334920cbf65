import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A real `sveda serve` in a process of its own. */
export interface Program {
  readonly child: ChildProcess;
  readonly origin: string;
  /** Resolves with the first line of its log from now on whose message is this one. */
  logged(message: string): Promise<Record<string, unknown>>;
  /** Sends a signal and resolves when the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts the built program, on a free port unless told otherwise, with this environment and nothing else, and waits until it is ready. Rejects with what it complained of. */
export async function startProgram(
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = ['--port', '0'],
): Promise<Program> {
  const bin = fileURLToPath(new URL('../../bin/sveda.mjs', import.meta.url));
  const child = spawn(process.execPath, [bin, 'serve', ...args], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const lines = createInterface({ input: child.stdout });
  const logged = (message: string) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const gone = (): void =>
        reject(new Error(`The program ended before it said: ${message}. ${complaint}`));
      const hear = (line: string): void => {
        const entry = JSON.parse(line) as Record<string, unknown>;
        if (entry.msg !== message) return;
        lines.off('line', hear);
        child.off('close', gone);
        resolve(entry);
      };
      lines.on('line', hear);
      child.once('close', gone);
    });
  const { origin } = await logged('ready');
  return {
    child,
    origin: String(origin),
    logged,
    async end(signal) {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}
