import { Unsupported } from './errors.ts';
import type { Launch } from './launch.ts';
import { cgroup } from './level/cgroup.ts';
import type { Level, LevelName } from './level/level.ts';
import { namespace } from './level/namespace.ts';
import { sweep } from './level/sweep.ts';
import { requireLinux } from './platform.ts';
import type { Scope } from './scope.ts';
import { start } from './start.ts';

/** The strongest way to contain processes that works on this machine. */
export interface Scopes {
  readonly level: LevelName;
  /** Stronger levels that do not work here, and why: for the operator. */
  readonly passedOver: readonly { readonly level: LevelName; readonly reason: string }[];
  /**
   * Starts a command in a scope of its own. Call it from the main thread: a scope dies with the thread that started it.
   * Throws `LaunchError` when the command cannot be started; then nothing of it runs.
   */
  start(launch: Launch): Promise<Scope>;
}

/** All levels, strongest first. */
export const levels: readonly Level[] = [namespace, cgroup, sweep];

let probed: Promise<Scopes> | undefined;

/** The scopes of this machine, probed at the first call and then kept. Throws `Unsupported` when no level works. */
export function processScopes(): Promise<Scopes> {
  return (probed ??= openScopes(levels));
}

/** Probes the given levels in their order and takes the first that works. */
export async function openScopes(candidates: readonly Level[]): Promise<Scopes> {
  requireLinux();
  const passedOver: { level: LevelName; reason: string }[] = [];
  for (const level of candidates) {
    const probe = await level.probe();
    if (typeof probe === 'function') {
      return { level: level.name, passedOver, start: (launch) => start(launch, probe) };
    }
    passedOver.push({ level: level.name, reason: probe });
  }
  const reasons = passedOver.map(({ level, reason }) => `${level}: ${reason}`).join('; ');
  throw new Unsupported(`Child processes cannot be contained on this machine (${reasons}).`);
}
