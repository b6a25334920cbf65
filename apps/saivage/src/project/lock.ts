import { mkdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { Refusal } from '@portolan/mcp/tool';
import { isSameProcess, processIdentity, type ProcessIdentity } from '@portolan/process';
import { z } from 'zod';
import type { ProjectFolder } from './folder.ts';
import { readState, readText, writeState } from './state.ts';

/** The process that owns a project. A pid means something only inside its pid namespace. */
const Owner = z.strictObject({
  pid: z.int().min(1),
  startTime: z.int().min(0),
  bootId: z.uuid(),
  pidNamespace: z.string(),
});
type Owner = z.infer<typeof Owner>;

/** Who holds a project. `doubtful`: somebody whom this process cannot judge. A dead owner counts as nobody. */
export type Holding =
  | { readonly state: 'free' }
  | { readonly state: 'live'; readonly owner: ProcessIdentity }
  | { readonly state: 'doubtful'; readonly reason: string };

/** A project that this process has. */
export interface Held {
  readonly owner: ProcessIdentity;
  readonly giveBack: () => void;
}

/** Looks at the lock and changes nothing. */
export function inspectLock(file: string): Holding {
  const state = readState(file, Owner);
  if (state.found === 'nothing') return { state: 'free' };
  if (state.found === 'something else') return { state: 'doubtful', reason: 'its lock is not one of ours' };
  return judge(state.value);
}

/**
 * Takes the project for this process, also from an owner that is dead. Throws `Refusal` for a live or doubtful one.
 */
export async function takeLock({ locks, lock }: ProjectFolder): Promise<Held> {
  mkdirSync(locks, { recursive: true, mode: 0o700 });
  const door = await passAlone(locks);
  try {
    refuseUnlessFree(inspectLock(lock), lock);
    const owner = ourselves();
    writeState(lock, owner);
    const written = readText(lock);
    const giveBack = () => {
      if (readText(lock) === written) rmSync(lock, { force: true });
    };
    return { owner, giveBack };
  } finally {
    door.close();
  }
}

function refuseUnlessFree(holding: Holding, file: string): void {
  if (holding.state === 'live') {
    throw new Refusal('conflict', `Saivage already runs for this project, as process ${holding.owner.pid}.`);
  }
  if (holding.state === 'doubtful') {
    throw new Refusal(
      'conflict',
      `It is not certain that no Saivage runs for this project: ${holding.reason}. ` +
        `Make sure that none does, then remove ${file}.`,
    );
  }
}

function judge(owner: Owner): Holding {
  const { bootId, pidNamespace } = ourselves();
  if (owner.bootId !== bootId) return { state: 'free' };
  if (owner.pidNamespace !== pidNamespace) {
    return { state: 'doubtful', reason: `its owner, process ${owner.pid}, is in another container` };
  }
  return isSameProcess(owner) ? { state: 'live', owner } : { state: 'free' };
}

function ourselves(): Owner {
  const identity = processIdentity();
  if (!identity) throw new Error('This process does not see itself in /proc.');
  return { ...identity, pidNamespace: readlinkSync('/proc/self/ns/pid') };
}

/**
 * Lets one process at a time look at the lock and write it. The door is an abstract socket named after the folder:
 * the kernel gives it to one process and takes it back when that process ends, however it ends.
 */
async function passAlone(folder: string): Promise<Server> {
  const { dev, ino } = statSync(folder);
  const door = createServer();
  await new Promise<void>((resolve, reject) => {
    door.once('error', reject);
    door.listen({ path: `\0saivage-lock-${dev}-${ino}` }, resolve);
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Refusal('conflict', 'Another Saivage command is taking this project at this moment.');
  });
  return door;
}
