import type { ChatDetail } from '@sveda-ai/protocol/events';
import { join } from './exchange.ts';
import { undecided } from './state.ts';
import { openTalk, type SendOptions, type SessionSetup, type Talk } from './talk.ts';
import type { Transport } from './transport.ts';

export type Session = ReturnType<typeof createSession>;

/** One chat, and what the visitor can do in it. */
export function createSession(setup: SessionSetup) {
  const talk = openTalk(setup);
  return {
    get state() {
      return talk.state;
    },
    get chatId() {
      return talk.state.chatId;
    },
    get messages() {
      return talk.state.messages;
    },
    get status() {
      return talk.state.status;
    },
    /** Calls that wait for the visitor's decision. */
    get pending() {
      return undecided(talk.state);
    },
    /** Listens until the returned function is called. */
    on: talk.on,
    /** Sends a message; resolves when nothing more comes by itself. Failures are in `state.error`. */
    send(text: string, { files = [], context, model }: SendOptions = {}): Promise<void> {
      const message = { text, ...(files.length > 0 && { files: [...files] }) };
      return talk.ask(() => {
        talk.dispatch({
          type: 'sent',
          text,
          files: files.map(({ name, mediaType }) => ({ name, mediaType })),
        });
        return { ...talk.withPage({ message }, context), ...(model && { model }) };
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
      return talk.ask(() => talk.withPage({ toolDecisions }));
    },
    /** Posts the result of a call of the page, where results are not posted by themselves. */
    submitToolResult(toolCallId: string, output: unknown): Promise<void> {
      return talk.ask(() => talk.withPage({ toolResults: [{ toolCallId, output }] }));
    },
    /** Goes on after the step limit, an error or a cut. */
    continue(): Promise<void> {
      return talk.ask(() => talk.withPage({ continue: true }));
    },
    /** Posts again what failed last, or joins the turn again when it was already taken. */
    async retry(): Promise<void> {
      const { failed: body, state } = talk;
      if (!body) return this.continue();
      if (state.turnId === undefined) return talk.ask(() => body);
      return this.load();
    },
    /** Stops the turn: nothing more runs, and what is open is closed. */
    async stop(): Promise<void> {
      const { chatId, turnId } = talk.state;
      if (chatId === undefined || turnId === undefined) return;
      const path = `chats/${encodeURIComponent(chatId)}/turns/${encodeURIComponent(turnId)}/stop`;
      await setup.transport
        .request(path, { method: 'POST', signal: talk.exchange.signal, repeatable: true })
        .catch(talk.fail);
      if (talk.state.status === 'waiting') await this.load();
    },
    /** Reads the chat as the server has it, and joins its turn when one is running. */
    load(): Promise<void> {
      return talk.queue(async () => {
        const detail = await readChat(setup.transport, talk);
        if (!detail) return;
        talk.dispatch({ type: 'loaded', ...detail });
        talk.forgetFailure();
        if (detail.turns.at(-1)?.status === 'running') await join(talk.exchange);
      });
    },
    /** Ends the session in this page; what the server does goes on. */
    close: talk.close,
  };
}

async function readChat(transport: Transport, { state, exchange }: Talk): Promise<ChatDetail | undefined> {
  if (state.chatId === undefined) return undefined;
  const path = `chats/${encodeURIComponent(state.chatId)}`;
  const response = await transport.request(path, {
    method: 'GET',
    signal: exchange.signal,
    repeatable: true,
  });
  return (await response.json()) as ChatDetail;
}
