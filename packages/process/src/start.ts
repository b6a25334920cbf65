import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { LaunchError } from './errors.ts';
import { locate, type Launch } from './launch.ts';
import type { Fence, FenceBuilder } from './level/level.ts';
import { scopeOf, type Child, type Scope } from './scope.ts';

/** Longest time that a fence may take to close around a started command, in milliseconds. It takes about five. */
const ENCLOSE_MS = 10_000;

/** Starts a command behind a fence and waits until the fence is closed. Throws `LaunchError`. */
export async function start(launch: Launch, build: FenceBuilder): Promise<Scope> {
  const program = await locate(launch);
  const fence = raise(launch, build);
  try {
    const child = await spawned(launch, [...fence.prefix, program, ...launch.args], fence.marks);
    const unheard = [child.stdout, child.stderr];
    for (const pipe of unheard) pipe.on('readable', keepUnread);
    const pid = await enclosed(launch, fence, child);
    for (const pipe of unheard) pipe.off('readable', keepUnread);
    return scopeOf(child, fence, pid);
  } catch (error) {
    fence.release();
    throw error;
  }
}

function raise(launch: Launch, build: FenceBuilder): Fence {
  try {
    return build(launch);
  } catch (error) {
    throw error instanceof LaunchError ? error : refused(launch.command, error);
  }
}

async function spawned(launch: Launch, argv: readonly string[], marks: Fence['marks']): Promise<Child> {
  const [wrapper = '', ...args] = argv;
  try {
    const env = { ...launch.env, ...marks };
    // A session of its own: no signal for our terminal or group reaches it, and no signal of its group reaches us.
    const child = spawn(wrapper, args, {
      cwd: launch.cwd,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // Writing to a command that has ended is no fault of ours: `exited` tells of it.
    child.stdin.on('error', () => undefined);
    await once(child, 'spawn');
    child.on('error', () => undefined);
    return child;
  } catch (error) {
    throw refused(launch.command, error);
  }
}

/** The pid of the command. One that ended before it could be seen keeps the pid of its wrapper. */
async function enclosed({ command }: Launch, fence: Fence, child: Child): Promise<number> {
  const deadline = performance.now() + ENCLOSE_MS;
  while (child.exitCode === null && child.signalCode === null) {
    const pid = fence.enclosed(child);
    if (pid !== undefined) return pid;
    if (performance.now() > deadline) {
      fence.kill(fence.look().found);
      child.kill('SIGKILL');
      throw new LaunchError(
        'refused_by_system',
        command,
        `The command "${command}" could not be contained in time.`,
      );
    }
    await pause(1);
  }
  return child.pid ?? 0;
}

/** Node throws away what nobody listens to once a child has ended; this one may end before its caller can listen. */
function keepUnread(): void {}

/** The system's reason without its message: that could quote arguments or the environment. */
function refused(command: string, error: unknown): LaunchError {
  const { code } = error as NodeJS.ErrnoException;
  return new LaunchError(
    'refused_by_system',
    command,
    `The system refused to start "${command}" (${code ?? 'unknown'}).`,
  );
}
