import { HttpProblem } from '@portolan/http';
import type { StreamRequest, SvedaEvent } from '@sveda-ai/protocol';
import type { Talk, TestNode } from './world.ts';

/** What a reader saw, from which event on, and whether it was cut. */
export interface Reading {
  readonly turnId: string;
  readonly after: number;
  readonly events: SvedaEvent[];
  readonly cut: AbortController;
  readonly from: TestNode;
  readonly over: Promise<unknown>;
}

/** One run: a chat, its posts and its readers. */
export function openRun(talk: Talk) {
  const readings: Reading[] = [];
  const pending: Promise<unknown>[] = [];
  let chatId: string | undefined;
  let turnId = '';

  function read(from: TestNode, turn: string, after: number): void {
    const cut = new AbortController();
    const events: SvedaEvent[] = [];
    const over = (async () => {
      for await (const event of from.read(turn, after, cut.signal)) events.push(event);
    })().catch((error: unknown) => {
      if (!from.isDead) throw error;
    });
    // Nobody awaits what a play that is interrupted was reading.
    over.catch(() => undefined);
    readings.push({ turnId: turn, after, events, cut, from, over });
  }

  async function post(from: TestNode, body: Partial<StreamRequest>): Promise<void> {
    try {
      const admitted = await from.post(talk.visitor, { ...body, ...(chatId !== undefined && { chatId }) });
      chatId ??= admitted.chatId;
      ({ turnId } = admitted);
      read(from, admitted.turnId, admitted.after);
    } catch (error) {
      // A refusal is an answer; a dead node gives none.
      if (!(error instanceof HttpProblem && error.status === 409) && !from.isDead) throw error;
    }
  }

  const callsSeen = (wanted: (event: Extract<SvedaEvent, { type: 'tool.call' }>) => boolean) => [
    ...new Set(
      readings
        .flatMap(({ events }) => events.filter((event) => event.type === 'tool.call'))
        .filter(wanted)
        .map(({ toolCallId }) => toolCallId),
    ),
  ];

  return {
    readings,
    pending,
    post,
    get chatId() {
      return chatId;
    },
    get turnId() {
      return turnId;
    },
    read,
    /** Calls that were ever seen to wait for the page, and those that were seen to wait for the visitor; the newest first. */
    pageCalls: () => callsSeen(({ target }) => target === 'frontend').toReversed(),
    askedCalls: () => callsSeen(({ confirmation }) => confirmation === 'required').toReversed(),
  };
}
export type Run = ReturnType<typeof openRun>;
