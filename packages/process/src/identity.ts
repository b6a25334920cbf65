import { readFileSync } from 'node:fs';
import { requireLinux } from './platform.ts';
import { readStat } from './proc.ts';

/** A process told apart from every other one, also from a later one that is given the same pid. Plain JSON. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks from boot to the start of the process (proc(5), stat field 22). */
  readonly startTime: number;
  /** Random id of this boot of the kernel: pids and start times begin again at the next. */
  readonly bootId: string;
}

/** The identity of a living process, ours by default; undefined when none lives under this pid. */
export function processIdentity(pid: number = process.pid): ProcessIdentity | undefined {
  requireLinux();
  const stat = readStat(pid);
  return stat && !stat.zombie ? { pid, startTime: stat.startTime, bootId: bootId() } : undefined;
}

/** True while that very process lives. A zombie, a reused pid and another boot are all false. */
export function isSameProcess(identity: ProcessIdentity): boolean {
  const living = processIdentity(identity.pid);
  return living?.startTime === identity.startTime && living.bootId === identity.bootId;
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
