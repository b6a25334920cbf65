import { ConnectionFailure } from '@portolan/mcp/connect';
import type { Ready, Stopped } from './connections.ts';
import { errorOf, news, readyOf, request, type Attempt, type Owner } from './owner.ts';

/** Starts a server. One that is ready answers its ids and nothing is launched. */
export async function start(owner: Owner, signal: AbortSignal | undefined): Promise<Ready> {
  requireStartable(owner, signal);
  request(owner, 'start');
  return owner.state === 'running' ? readyOf(owner) : follow(owner, owner.attempt, signal);
}

/** Ends a server, whatever it is doing. */
export async function stop(owner: Owner): Promise<Stopped> {
  request(owner, 'stop');
  await join(owner);
  return { serverName: owner.serverName, status: 'stopped', toolCount: 0 };
}

/** Stop, then start: a cancellation in between lets the stop be and starts nothing. */
export async function restart(owner: Owner, signal: AbortSignal | undefined): Promise<Ready> {
  requireStartable(owner, signal);
  request(owner, 'restart');
  const next = owner.ended ? await successor(owner, signal) : owner.attempt;
  return follow(owner, next, signal);
}

/** Waits until a server has ended, if it is ending. Throws where something is left. */
export async function join(owner: Owner): Promise<void> {
  const ended = await owner.ended;
  if (ended && !ended.containment.contained) throw notContained(owner, ended.containment);
}

function requireStartable(owner: Owner, signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw errorOf(owner, new ConnectionFailure('cancelled', { effects: 'none' }));
  if (owner.definition.server.disabled) throw errorOf(owner, 'disabled');
}

/** The attempt that follows the end of the present one, if nobody came between. */
async function successor(owner: Owner, signal: AbortSignal | undefined): Promise<Attempt> {
  const { attempt: before, ended } = owner;
  const cancel = () => void news(owner, before, 'cancelled');
  signal?.addEventListener('abort', cancel, { once: true });
  const end = await ended;
  signal?.removeEventListener('abort', cancel);
  if (end?.next) return end.next;
  if (end && !end.containment.contained) throw notContained(owner, end.containment);
  throw errorOf(owner, signal?.aborted ? new ConnectionFailure('cancelled') : 'owner_changed');
}

/** Waits for an attempt; a cancellation gives it up. */
async function follow(
  owner: Owner,
  attempt: Attempt | undefined,
  signal: AbortSignal | undefined,
): Promise<Ready> {
  if (!attempt) throw errorOf(owner, 'unclassified');
  const giveUp = () => attempt.launch.abort();
  if (signal?.aborted) giveUp();
  signal?.addEventListener('abort', giveUp, { once: true });
  return attempt.outcome.finally(() => signal?.removeEventListener('abort', giveUp));
}

function notContained(owner: Owner, containment: ConnectionFailure['containment']) {
  return errorOf(owner, new ConnectionFailure('not_contained', { ...(containment && { containment }) }));
}
