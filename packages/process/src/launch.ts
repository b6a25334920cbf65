import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LaunchError } from './errors.ts';

/** What to start. Nothing of our own environment is added: `env` is all that the child gets. */
export interface Launch {
  /** A path (relative to `cwd`), or a name to look up on the PATH of `env`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of an existing folder. */
  readonly cwd: string;
}

/** Where a command is looked up when its environment has no PATH. */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/**
 * The absolute path of the program that `launch` starts. Checked before anything is started, because behind a wrapper
 * a missing command would only be an exit code. Throws `LaunchError`.
 */
export async function locate({ command, env, cwd }: Launch): Promise<string> {
  if (!(await isFolder(cwd))) {
    throw new LaunchError(
      'folder_not_found',
      command,
      `The working folder ${cwd} of "${command}" does not exist.`,
    );
  }
  let seen = false;
  for (const path of candidates(command, env.PATH ?? DEFAULT_PATH, cwd)) {
    if (!(await isFile(path))) continue;
    seen = true;
    if (!(await isExecutable(path))) continue;
    await requireInterpreter(command, path);
    return path;
  }
  throw seen
    ? new LaunchError('command_not_executable', command, `The command "${command}" is not executable.`)
    : new LaunchError('command_not_found', command, notFound(command));
}

function candidates(command: string, path: string, cwd: string): string[] {
  if (command.includes('/')) return [resolve(cwd, command)];
  return path.split(':').map((folder) => resolve(cwd, folder, command));
}

function notFound(command: string): string {
  const where = command.includes('/') ? 'does not exist' : 'is not on the PATH of its environment';
  return `The command "${command}" ${where}.`;
}

/** A script whose interpreter is missing fails with the same ENOENT as a missing script: say which of the two it is. */
async function requireInterpreter(command: string, path: string): Promise<void> {
  const interpreter = /^#!\s*(\/\S+)/.exec(await firstBytes(path))?.[1];
  if (!interpreter || (await isExecutable(interpreter))) return;
  const message = `The interpreter ${interpreter} of the script "${command}" does not exist or is not executable.`;
  throw new LaunchError('interpreter_not_found', command, message);
}

async function firstBytes(path: string): Promise<string> {
  // A program may be executable and yet not readable: then it is no script either.
  const file = await open(path).catch(() => undefined);
  if (!file) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
