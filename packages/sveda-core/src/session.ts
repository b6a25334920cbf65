import type { ChatDetail, MessageFile, StreamRequest, SvedaEvent } from '@sveda-ai/protocol/events';
import { join, post, type Exchange } from './exchange.ts';
import { pageCalls } from './page-calls.ts';
import { reduce } from './reduce.ts';
import type { SvedaToolRegistry } from './registry.ts';
import { initialState, undecided, type Action, type SessionError, type SessionState } from './state.ts';
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

export type Session = ReturnType<typeof createSession>;

/** One chat: its state, what the visitor can do in it, and the handlers of the page that its calls run. */
export function createSession(setup: SessionSetup) {
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

  async function chat(): Promise<ChatDetail | undefined> {
    if (state.chatId === undefined) return undefined;
    const path = `chats/${encodeURIComponent(state.chatId)}`;
    const response = await setup.transport.request(path, {
      method: 'GET',
      signal: life.signal,
      repeatable: true,
    });
    return (await response.json()) as ChatDetail;
  }

  return {
    get state() {
      return state;
    },
    get chatId() {
      return state.chatId;
    },
    get messages() {
      return state.messages;
    },
    get status() {
      return state.status;
    },
    /** Calls that wait for the visitor's decision. */
    get pending() {
      return undecided(state);
    },
    /** Listens until the returned function is called. */
    on<K extends keyof SessionEvents>(name: K, listener: (value: SessionEvents[K]) => void): () => void {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(listener));
      return () => void set.delete(listener);
    },
    /** Sends a message; resolves when nothing more comes by itself. Failures are in `state.error`. */
    send(text: string, { files = [], context, model }: SendOptions = {}): Promise<void> {
      const message = { text, ...(files.length > 0 && { files: [...files] }) };
      return ask(() => {
        dispatch({ type: 'sent', text, files: files.map(({ name, mediaType }) => ({ name, mediaType })) });
        return { ...withPage({ message }, context), ...(model && { model }) };
      });
    },
    /** Approves or denies calls that wait for it. */
    decide(
      toolCallIds: string | readonly string[],
      decision: 'approve' | 'deny',
      reason?: string,
    ): Promise<void> {
      const ids = typeof toolCallIds === 'string' ? [toolCallIds] : toolCallIds;
      const toolDecisions = ids.map((toolCallId) => ({ toolCallId, decision, ...(reason && { reason }) }));
      return ask(() => withPage({ toolDecisions }));
    },
    /** Posts the result of a call of the page, where results are not posted by themselves. */
    submitToolResult(toolCallId: string, output: unknown): Promise<void> {
      return ask(() => withPage({ toolResults: [{ toolCallId, output }] }));
    },
    /** Goes on after the step limit, an error or a cut. */
    continue(): Promise<void> {
      return ask(() => withPage({ continue: true }));
    },
    /** Posts again what failed last, or joins the turn again when it was already taken. */
    async retry(): Promise<void> {
      const body = failed;
      if (!body) return this.continue();
      if (state.turnId === undefined) return ask(() => body);
      return this.load();
    },
    /** Stops the turn: nothing more runs, and what is open is closed. */
    async stop(): Promise<void> {
      const { chatId, turnId } = state;
      if (chatId === undefined || turnId === undefined) return;
      const path = `chats/${encodeURIComponent(chatId)}/turns/${encodeURIComponent(turnId)}/stop`;
      await setup.transport
        .request(path, { method: 'POST', signal: life.signal, repeatable: true })
        .catch(fail);
      if (state.status === 'waiting') await this.load();
    },
    /** Reads the chat as the server has it, and joins its turn when one is running. */
    load(): Promise<void> {
      return queue(async () => {
        const detail = await chat();
        if (!detail) return;
        dispatch({ type: 'loaded', ...detail });
        failed = undefined;
        if (detail.turns.at(-1)?.status === 'running') await join(exchange);
      });
    },
    /** Ends the session in this page; what the server does goes on. */
    close(): void {
      life.abort(new Error('The session was closed.'));
      listeners.clear();
    },
  };
}
