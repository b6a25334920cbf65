import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Environment } from '@portolan/cli';
import { withDeadline } from '@portolan/http';
import { LaunchError, processScopes, type Containment } from '@portolan/process';
import { baseOf } from '../connections/definition.ts';
import { openInside, placeOf } from '../files/inside.ts';
import { follow, type Command, type CommandStatus, type CommandView } from './command.ts';
import { CommandFailure } from './errors.ts';
import { LIMITS } from './limits.ts';
import { dropOldLogs, openLogs, takeDown } from './log.ts';

/** What to run, and for whom. */
export interface Run {
  /** For `sh -c`. */
  readonly command: string;
  /** From the root of the project. */
  readonly cwd: string;
  readonly startedBy: string;
}

/** How long somebody waits: `ms` at most, and no longer than `signal` lets them. The command goes on. */
export interface Patience {
  readonly ms: number;
  readonly signal: AbortSignal;
}

/**
 * The shell commands of a project. They belong to the application: whoever asked for one may go, it goes on. Nothing else
 * on the machine can be waited for or ended here. Methods throw `CommandFailure`, and `Refusal` for a forbidden folder.
 */
export interface Commands {
  run(run: Run): Promise<CommandView>;
  /** The newest first. */
  list(status?: CommandStatus): readonly CommandView[];
  wait(id: string, patience: Patience): Promise<CommandView>;
  /** Ends a command with everything that it started. */
  kill(id: string): Promise<CommandView>;
  /** Takes no further command and ends all of them. Throws `CommandFailure` when something of one is left. */
  close(): Promise<void>;
}

export interface CommandsOptions {
  /** Root of the project. */
  readonly root: string;
  /** `.saivage/work`. */
  readonly work: string;
  /** Saivage's environment without its secrets: a few of its values reach the commands. */
  readonly environment: Environment;
  readonly now: () => Date;
  readonly newId: () => string;
}

export function openCommands({ root, work, environment, now, newId }: CommandsOptions): Commands {
  const commands = new Map<string, Command>();
  let tidied: Promise<void> | undefined;
  const starting = new Set<Promise<Command>>();
  let closed = false;

  const running = (): number =>
    [...commands.values()].filter((one) => one.view().status === 'running').length;
  const found = (id: string): Command => {
    const command = commands.get(id);
    if (!command) throw new CommandFailure('unknown_command');
    return command;
  };
  const forget = async (): Promise<void> => {
    for (const command of commands.values()) {
      if (commands.size < LIMITS.kept) return;
      const { status, log } = command.view();
      if (status === 'running') continue;
      commands.delete(command.id);
      await rm(log, { force: true });
    }
  };

  async function start({ command, cwd, startedBy }: Run): Promise<Command> {
    const folder = await placeOf(await openInside(root, cwd));
    const folderOfLogs = await openLogs(work);
    await (tidied ??= dropOldLogs(folderOfLogs));
    const scopes = await processScopes();
    const env = baseOf(environment);
    const scope = await scopes.start({ command: 'sh', args: ['-c', command], env, cwd: folder });
    scope.stdin.end();
    const id = newId();
    const log = takeDown(join(folderOfLogs, `${id}.log`), [scope.stdout, scope.stderr]);
    const where = relative(root, folder) || '.';
    const started = { id, command, cwd: where, startedBy, startedAt: now().toISOString() };
    const followed = follow(started, scope, log, now);
    commands.set(id, followed);
    return followed;
  }

  return {
    async run(run) {
      if (closed) throw new CommandFailure('closed');
      if (running() + starting.size >= LIMITS.running) throw new CommandFailure('too_many');
      const beginning = forget().then(() => start(run));
      starting.add(beginning);
      try {
        return (await beginning).view();
      } catch (error) {
        if (error instanceof LaunchError) throw new CommandFailure('not_started', error.message);
        throw error;
      } finally {
        starting.delete(beginning);
      }
    },
    list(status) {
      const views = [...commands.values()].map((one) => one.view()).toReversed();
      return views.filter((view) => status === undefined || view.status === status);
    },
    async wait(id, patience) {
      const command = found(id);
      await within(command.ended, patience);
      return command.view();
    },
    async kill(id) {
      const command = found(id);
      demandContained(await command.kill());
      return command.view();
    },
    async close() {
      closed = true;
      await Promise.allSettled(starting);
      const ends = await Promise.all([...commands.values()].map((one) => one.kill()));
      ends.forEach(demandContained);
    },
  };
}

function demandContained(containment: Containment): void {
  if (!containment.contained)
    throw new CommandFailure('not_contained', `processes ${containment.pids.join(', ')}`);
}

/** Waits for the end, as long as patience lasts. */
async function within(ended: Promise<void>, { ms, signal }: Patience): Promise<void> {
  const over = withDeadline(signal, ms);
  if (over.aborted) return;
  await Promise.race([ended, once(over, 'abort')]);
}
