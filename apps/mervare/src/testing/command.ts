import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The command, for those who start it in their own way. */
export const bin = fileURLToPath(new URL('../../bin/mervare.mjs', import.meta.url));

/** Starts the built command with these variables and no other of ours, and with this text on its standard input. */
export function start(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  input?: string,
) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [bin, ...args], {
    env: { ...(PATH && { PATH }), ...(HOME && { HOME }), ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const out: string[] = [];
  const err: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => out.push(line));
  createInterface({ input: child.stderr }).on('line', (line) => err.push(line));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
  return {
    child,
    /** Resolves when the process and its output have ended. */
    ended,
    /** Resolves with the next log line that has this message. Rejects when the process ends first. */
    async logged(message: string): Promise<Record<string, unknown>> {
      const seen = () => out.map(parsed).find(({ msg }) => msg === message);
      for (;;) {
        const line = seen();
        if (line) return line;
        const more = await Promise.race([once(lines, 'line'), ended]);
        if (!Array.isArray(more) && !seen()) throw new Error(`Ended without “${message}”: ${err.join('\n')}`);
      }
    },
  };
}

/** Runs the built command to its end. */
export function run(args: readonly string[], variables?: Readonly<Record<string, string>>, input?: string) {
  return start(args, variables, input).ended;
}

function parsed(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
}
