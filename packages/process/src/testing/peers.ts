import { randomInt } from 'node:crypto';
import type { LevelName } from '../level/level.ts';
import { sendSignal } from '../signal.ts';
import { allPids, isAlive, readProc } from '../proc.ts';

export { childrenOf } from '../proc.ts';
export { freePort } from './port.ts';

/** A shell script that resists its end. */
export interface Peer {
  readonly script: string;
  /** How many processes named `sleep` it holds once it is up. */
  readonly holds: number;
  /** Its command ends at once: in a namespace of their own the others end with it. */
  readonly leaves?: boolean;
}

const DEAF = `trap '' TERM HUP INT`;
const ALONE = '</dev/null >/dev/null 2>&1';

/** Peers that resist their end. `nap` is a number of seconds that no other process sleeps, to find them by. */
export function stubborn(nap: number): Record<string, Peer> {
  const stay = `${DEAF}; exec sleep ${nap}`;
  const daemon = `(env -i setsid sh -c "${DEAF}; sleep ${nap} & exec sleep ${nap}" ${ALONE} &)`;
  const low = `prlimit --sigpending=64:64 sleep ${nap} ${ALONE}`;
  return {
    'is deaf to SIGTERM and to the end of its input': { script: stay, holds: 1 },
    'has a daemon that left session and parent and wiped its environment': {
      script: `${daemon}; ${stay}`,
      holds: 3,
    },
    'has a daemon that changed its limits': { script: `(setsid ${low} &); ${stay}`, holds: 2 },
    'has a child that changed its limits and wiped its environment': {
      script: `env -i ${low} & ${stay}`,
      holds: 2,
    },
    'hides behind two shells': { script: `sh -c '${daemon}; sleep ${nap} & wait' & wait`, holds: 3 },
    'starts it and leaves at once': { script: `${daemon}; sleep ${nap} & exit 0`, holds: 3, leaves: true },
    'has stopped itself': { script: `sleep ${nap} & kill -STOP $$`, holds: 1 },
  };
}

/** A peer that runs ahead of every look, from fork to fork, for some ten seconds. */
export function hopper(nap: number): Peer {
  return { script: `hop() { [ $1 -gt 0 ] && hop $(($1 - 1)) & }; hop 10000; exec sleep ${nap}`, holds: 1 };
}

/** How many processes named `sleep` all these peers hold together. */
export function heldBy(peers: readonly Peer[], level: LevelName): number {
  const staying = peers.filter(({ leaves }) => !leaves || level !== 'namespace');
  return staying.reduce((sum, { holds }) => sum + holds, 0);
}

/** A number of seconds to sleep that stands for one test: its processes are found by it, whatever else they shed. */
export function uniqueNap(): number {
  return randomInt(100_000_000, 999_999_999);
}

/** The living processes whose command line carries `word`: an oracle that knows nothing of scopes. */
export function living(word: string | number): { readonly pid: number; readonly line: string }[] {
  return allPids()
    .filter(isAlive)
    .map((pid) => ({ pid, line: (readProc(pid, 'cmdline') ?? '').replaceAll('\0', ' ').trim() }))
    .filter(({ line }) => line.includes(String(word)));
}

/** How many of them have become the `sleep` that they were started for. */
export function sleeping(nap: number): number {
  return living(nap).filter(({ line }) => /^\S*sleep \d+$/.test(line)).length;
}

/** Kills what a failed test has left behind. */
export function killAll(nap: number): void {
  for (const { pid } of living(nap)) sendSignal(pid, 'SIGKILL');
}
