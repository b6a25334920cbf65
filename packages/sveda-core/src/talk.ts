import type { MessageFile, StreamRequest, SvedaEvent } from '@sveda-ai/protocol/events';
import { post, type Exchange } from './exchange.ts';
import { pageCalls } from './page-calls.ts';
import { reduce } from './reduce.ts';
import type { SvedaToolRegistry } from './registry.ts';
import { initialState, type Action, type SessionError, type SessionState } from './state.ts';
import { RequestError, type Transport } from './transport.ts';

/** What listeners of a session hear. */
export interface SessionEvents {
  state: SessionState;
  event: SvedaEvent;
  error: SessionError;
}

export interface SendOptions {
  readonly files?: readonly MessageFile[];
  readonly context?: Record<string, unknown>;
  readonly model?: string;
}

export interface SessionSetup {
  readonly transport: Transport;
  readonly tools: SvedaToolRegistry;
  readonly autoSubmit: boolean;
  readonly chatId: string | undefined;
  /** The page's context, read at each post. */
  readonly context: () => Record<string, unknown> | undefined;
}

export type Talk = ReturnType<typeof openTalk>;

/** What moves a session: its state, its listeners, its posts one after another, and the handlers that its calls run. */
export function openTalk(setup: SessionSetup) {
  const life = new AbortController();
  const listeners = new Map<keyof SessionEvents, Set<(value: never) => void>>();
  let state: SessionState = { ...initialState, chatId: setup.chatId };
  let posts: Promise<void> = Promise.resolve();
  let failed: StreamRequest | undefined;

  const exchange: Exchange = {
    transport: setup.transport,
    signal: life.signal,
    position: () => state,
    take(event) {
      dispatch({ type: 'event', event });
      emit('event', event);
      if (event.type === 'tool.call' || event.type === 'tool.decision') calls.start(state);
    },
  };
  const calls = pageCalls(setup.tools, () => setup.autoSubmit && submitResults());

  function dispatch(action: Action): void {
    const next = reduce(state, action);
    if (next === state) return;
    state = next;
    emit('state', state);
  }

  function emit<K extends keyof SessionEvents>(name: K, value: SessionEvents[K]): void {
    for (const listener of listeners.get(name) ?? []) (listener as (value: SessionEvents[K]) => void)(value);
  }

  function fail(error: unknown): void {
    if (life.signal.aborted) return;
    const { code, message, retryable } =
      error instanceof RequestError ? error : { code: 'client', message: String(error), retryable: false };
    dispatch({ type: 'failed', error: { code, message, retryable } });
    emit('error', { code, message, retryable });
  }

  /** Posts of one chat go one after another: the server runs one turn of it at a time. */
  function queue(work: () => Promise<void>): Promise<void> {
    posts = posts.then(work).catch(fail);
    return posts;
  }

  function ask(body: () => StreamRequest | undefined): Promise<void> {
    return queue(async () => {
      const wanted = body();
      if (!wanted) return;
      failed = wanted;
      dispatch({ type: 'posted' });
      await post(exchange, wanted);
      failed = undefined;
      calls.settle(state);
    });
  }

  function withPage(purpose: Partial<StreamRequest>, context = setup.context()): StreamRequest {
    const clientTools = setup.tools.specs();
    return {
      ...(state.chatId !== undefined && { chatId: state.chatId }),
      ...purpose,
      ...(clientTools.length > 0 && { clientTools }),
      ...(context && { context }),
    };
  }

  function submitResults(): void {
    void ask(() => {
      const toolResults = calls.take(state);
      return toolResults.length > 0 ? withPage({ toolResults }) : undefined;
    });
  }

  return {
    exchange,
    dispatch,
    fail,
    queue,
    ask,
    withPage,
    get state() {
      return state;
    },
    /** The post that failed last, until one succeeds. */
    get failed() {
      return failed;
    },
    forgetFailure(): void {
      failed = undefined;
    },
    on: <K extends keyof SessionEvents>(
      name: K,
      listener: (value: SessionEvents[K]) => void,
    ): (() => void) => {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener));
      return () => void set.delete(listener);
    },
    close: (): void => {
      life.abort(new Error('The session was closed.'));
      listeners.clear();
    },
  };
}
