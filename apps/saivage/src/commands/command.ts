import type { Containment, Exit, Scope } from '@portolan/process';
import { LIMITS } from './limits.ts';
import type { CommandLog } from './log.ts';

/** Where a command stands. `not_contained`: it has ended, and processes of it could not be ended. */
export type CommandStatus = 'running' | 'exited' | 'killed' | 'not_contained';

/** What is told of a command. */
export interface CommandView {
  readonly id: string;
  readonly command: string;
  /** From the root of the project. */
  readonly cwd: string;
  /** Who started it. */
  readonly startedBy: string;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly status: CommandStatus;
  /** Exit code of the command; absent while it runs, and where a signal ended it. */
  readonly exitCode?: number;
  readonly signal?: string;
  readonly outputBytes: number;
  /** The log holds less than the command wrote. */
  readonly logCut: boolean;
  /** The end of the output. Not to be trusted. */
  readonly tail: string;
  /** Absolute path. */
  readonly log: string;
}

/** A command that was started. */
export interface Command {
  readonly id: string;
  view(): CommandView;
  /** Resolves when it has ended, by itself or not, and what it started with it. */
  readonly ended: Promise<void>;
  /** Ends it with everything that it started. */
  kill(): Promise<Containment>;
}

/** What is known of a command at its start. */
export type Started = Pick<CommandView, 'id' | 'command' | 'cwd' | 'startedBy' | 'startedAt'>;

/** Follows a started command to its end. What it has left running is ended with it. */
export function follow(started: Started, scope: Scope, log: CommandLog, now: () => Date): Command {
  let exit: Exit | undefined;
  let endedAt: string | undefined;
  let killed = false;
  let contained = true;

  const finish = async (grace: number): Promise<Containment> => {
    const containment = await scope.end({ grace });
    ({ contained } = containment);
    return containment;
  };
  const ended = (async () => {
    exit = await scope.exited;
    await finish(0);
    await log.written;
    endedAt = now().toISOString();
  })();

  const status = (): CommandStatus => {
    if (endedAt === undefined) return 'running';
    if (!contained) return 'not_contained';
    return killed ? 'killed' : 'exited';
  };
  return {
    id: started.id,
    ended,
    view: () => ({
      ...started,
      status: status(),
      ...(endedAt !== undefined && { endedAt }),
      ...(typeof exit?.code === 'number' && endedAt !== undefined && { exitCode: exit.code }),
      ...(exit?.signal && endedAt !== undefined && { signal: exit.signal }),
      outputBytes: log.size,
      logCut: log.cut,
      tail: log.tail,
      log: log.file,
    }),
    async kill() {
      if (endedAt === undefined) killed = true;
      const containment = await finish(LIMITS.grace);
      if (containment.contained) await ended;
      return containment;
    },
  };
}
