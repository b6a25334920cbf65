import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Trouble } from '@portolan/cli';

/** A command with the whole of its environment. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** What of our environment a child is given: what it needs to run as its person expects, and nothing that may be secret. */
export function ordinaryEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const names = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'];
  return Object.fromEntries(
    names.map((name) => [name, environment[name] ?? '']).filter(([, value]) => value !== ''),
  );
}

/** A command line of one of our apps. */
export function program(app: string, args: readonly string[]): Pick<Command, 'file' | 'args'> {
  const bin = fileURLToPath(new URL(`../../${app}/bin/${app}.mjs`, import.meta.url));
  return { file: process.execPath, args: [bin, ...args] };
}

/** What a command that soon ends prints. Throws Trouble with what it complained of. */
export async function output({ file, args, cwd, env }: Command): Promise<string> {
  try {
    const limits = { timeout: 30_000, maxBuffer: 4 * 1024 * 1024 };
    return (await promisify(execFile)(file, [...args], { cwd, env, ...limits })).stdout;
  } catch (error) {
    const { stderr, stdout, message } = error as { stderr?: string; stdout?: string; message: string };
    throw new Trouble(`${[file, ...args].join(' ')} failed: ${stderr || stdout || message}`);
  }
}
