import type { Catalog, Connection, ConnectionFailure } from '@portolan/mcp/connect';
import type { Containment } from '@portolan/process';
import type { Ready, ServerTrouble } from './connections.ts';
import { newCounts, type Counts } from './counts.ts';
import type { ServerDefinition } from './definition.ts';
import { ServerError, type ServerErrorKind } from './errors.ts';
import type { Launch } from './launch.ts';
import { asked, ending, happened, resting, statusOf } from './states.ts';
import type { Happening, Request, State } from './states.ts';

/** A connection that takes calls, with the ids under which its callers know it and its tool list. */
export interface Binding {
  readonly bindingId: string;
  readonly connection: Connection;
  readonly catalogId: string;
  readonly catalog: Catalog;
  readonly observedAt: string;
}

/** An attempt to start. */
export interface Attempt {
  readonly launch: Launch;
  readonly outcome: Promise<Ready>;
}

/** How the end of a connection came out, and the attempt that has followed it at once, after a restart. */
export interface Ended {
  readonly containment: Containment;
  readonly next: Attempt | undefined;
}

/** What entering a state entails. */
export interface Effects {
  /** Begins to start. */
  begin(owner: Owner): Attempt;
  /** Ends what is alive and brings the news of it. */
  finish(owner: Owner): Promise<Ended>;
  /** Nothing is left of the owner. */
  gone(owner: Owner): void;
  readonly now: () => Date;
}

/** The one owner of a server: one state, one connection at most. Only `request` and `news` change it. */
export interface Owner {
  readonly serverName: string;
  readonly counts: Counts;
  readonly effects: Effects;
  definition: ServerDefinition;
  state: State;
  /** While the server takes calls. */
  binding: Binding | undefined;
  /** What is alive, or may be. */
  attempt: Attempt | undefined;
  /** While the connection is being ended. */
  ended: Promise<Ended> | undefined;
  trouble: ServerTrouble | undefined;
}

/** What news brings along. */
export interface News {
  readonly failure?: ConnectionFailure;
  readonly binding?: Binding;
}

/** An owner that was never started. */
export function newOwner(serverName: string, definition: ServerDefinition, effects: Effects): Owner {
  return {
    serverName,
    counts: newCounts(),
    effects,
    definition,
    state: 'unstarted',
    binding: undefined,
    attempt: undefined,
    ended: undefined,
    trouble: undefined,
  };
}

/** Throws `ServerError` where the state refuses a request; changes nothing. */
export function requireOpen(owner: Owner, request: Request): State {
  const next = asked(owner.state, request);
  if (typeof next === 'string') return next;
  throw errorOf(owner, next.refused);
}

/** Does what is requested of an owner. Throws `ServerError` where its state refuses it. */
export function request(owner: Owner, what: Request): void {
  enter(owner, requireOpen(owner, what), {});
}

/** Takes news of an attempt. False where it came too late to change anything. */
export function news(owner: Owner, from: Attempt | undefined, what: Happening, facts: News = {}): boolean {
  if (from !== owner.attempt) return false;
  const next = happened(owner.state, what);
  if (next !== undefined) enter(owner, next, facts);
  return next !== undefined;
}

/** An error of an operation on the owner, with what is known of it now. */
export function errorOf(
  owner: Owner,
  code: ServerErrorKind,
  more: { reason?: string; cause?: unknown } = {},
) {
  const { serverName, state } = owner;
  return new ServerError(code, { serverName, serverStatus: statusOf[state], ...more });
}

/** A server that takes calls, in the words of an answer. Throws where it does not. */
export function readyOf(owner: Owner): Ready {
  const { serverName, binding } = owner;
  if (!binding) throw errorOf(owner, 'not_running');
  const { bindingId, catalogId, catalog } = binding;
  return { serverName, status: 'running', toolCount: catalog.tools.length, bindingId, catalogId };
}

/** Every change of state passes here, and what it entails happens here. */
function enter(owner: Owner, next: State, { failure, binding }: News): void {
  const { state: before, effects } = owner;
  owner.state = next;
  if (failure) owner.trouble = troubleOf(failure, effects.now());
  if (binding) owner.binding = binding;
  if (next !== 'running' && next !== 'refreshing') owner.binding = undefined;
  if (next === 'stopped' || next === 'starting') owner.trouble = undefined;
  if (resting.has(next)) owner.attempt = undefined;
  if (next === 'starting') owner.attempt = effects.begin(owner);
  if (ending.has(next)) owner.ended ??= effects.finish(owner);
  if (next === 'gone' && before !== 'gone') effects.gone(owner);
}

function troubleOf({ code, message, phase }: ConnectionFailure, now: Date): ServerTrouble {
  return { code, message, ...(phase && { phase }), at: now.toISOString() };
}
