import type { ServerResponse } from 'node:http';
import type { Caller } from '../access.ts';
import type { Outcome } from '../answer.ts';
import type { Revision } from './revisions.ts';
import type { Surface } from './surface.ts';

/** What one mount serves, to whom, and how. */
export interface ServeOptions<Deps> {
  /** What this caller sees and may call. Pure and quick: keep the surfaces that it hands out. */
  surface(caller: Caller): Surface<Deps>;
  /** Resolves the credential before anything else is looked at; a Response refuses. Without it: `anonymous`. */
  authenticate?(request: Request): Promise<Caller | Response>;
  readonly deps: Deps;
  readonly revisions: readonly Revision[];
  /** What a dropped connection does to a tool that only reads. It never cancels one that changes something. */
  readonly disconnect: 'detached' | 'cancels';
  /**
   * Told once of every tools/call, when it is settled. Whatever it does, the answer stays the same and waits for
   * nothing; an error that it throws, now or later, goes to `onError`.
   */
  observe?(call: SettledCall): unknown;
  /** Told of every error that nobody expected, with the reference that the caller was given for it. */
  onError(error: unknown, context: ErrorContext): void;
  /**
   * Asked when a caller names a tool that it may not call: the value of a `WWW-Authenticate` header when this caller could
   * get there by asking for more (`insufficient_scope`, step-up). Undefined for everybody else, who is told that there is
   * no such tool.
   */
  stepUp?(tool: string, caller: Caller): string | undefined;
  /** Headers of every answer, for example those of `cors`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  /** A new reference for an unexpected error: a random UUID unless given. */
  readonly newReference?: () => string;
}

/** One tools/call from its arrival to its end. The kinds of outcome are explained at `Outcome`. */
export interface SettledCall {
  readonly caller: Caller;
  /** As the caller wrote it, cut to 200 characters. */
  readonly tool: string;
  readonly outcome: Outcome;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** Epoch milliseconds. */
  readonly settledAt: number;
}

export interface ErrorContext {
  readonly reference: string;
  readonly caller?: Caller;
  /** The tool or the URI of the resource that broke, when it was one. */
  readonly subject?: string;
}

/** What the app already has of a request. */
export interface Given {
  /** The parsed body. Its size, Content-Type and syntax are then the app's matter. */
  readonly body?: unknown;
  /** Who calls; a Response refuses. While it is a promise, nothing is answered and nobody is told of the call. */
  readonly caller?: Caller | Promise<Caller | Response>;
  /**
   * Whom `caller` is expected to give. Meanwhile the body is read for this caller, and a tool that only reads begins; what comes of it
   * counts when `caller` gives this very object, and is dropped else. Only for somebody who was let in a moment ago: a stranger
   * is to make no work.
   */
  readonly expected?: Caller | undefined;
  /** Epoch milliseconds: when the request reached the process. */
  readonly arrivedAt?: number;
  /**
   * The node response behind the request (`c.env.outgoing` of Hono on node). A page of a list is then written to it
   * from the bytes that are kept, and the answer is the adapter's `RESPONSE_ALREADY_SENT`: copying 160 KB into a web
   * answer would cost as much as all the rest.
   */
  readonly outgoing?: ServerResponse | undefined;
}
