import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StreamRequest, SvedaEvent } from '@sveda-ai/protocol/events';
import { createGrammar } from '@sveda-ai/protocol/testing';

export type Draft = {
  [T in SvedaEvent['type']]: Omit<Extract<SvedaEvent, { type: T }>, 'id' | 'chatId' | 'turnId' | 'at'>;
}[SvedaEvent['type']];

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Partial<StreamRequest>;
}

/** One scripted answer: it writes what it likes on the response. */
export type Answer = (response: ServerResponse, received: Received) => void | Promise<void>;

/**
 * A server on a real socket that answers each request by the next of its script, or by what `answerFor` has for its
 * path, and keeps what it received.
 */
export async function scriptedServer(
  script: Answer[],
  answerFor: (path: string) => Answer | undefined = () => script.shift(),
) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString('utf8');
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: (text ? JSON.parse(text) : {}) as Partial<StreamRequest>,
      };
      received.push(one);
      const answer = answerFor(one.path) ?? (() => void response.writeHead(500).end('{}'));
      await answer(response, one);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    stream: `http://127.0.0.1:${port}/sveda/stream`,
    received,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Numbers the drafts of one turn as the server does, held to the grammar, and makes answers of them. */
export function turn(chatId = 'chat-1', turnId = 'turn-1') {
  const grammar = createGrammar();
  let id = 0;
  const number = (drafts: readonly Draft[]): SvedaEvent[] =>
    drafts.map((draft) => {
      const event = { ...draft, id: (id += 1), chatId, turnId, at: '2026-11-30T10:00:00.000Z' };
      grammar.take(event);
      return event;
    });
  return {
    number,
    /** `[DONE]` was written. */
    done: () => grammar.done(),
    /** One whole segment: message.start, the drafts, message.end and `[DONE]`. */
    segment(
      drafts: readonly Draft[],
      finishReason: Extract<Draft, { type: 'message.end' }>['finishReason'],
    ): string {
      const events = number([{ type: 'message.start' }, ...drafts, { type: 'message.end', finishReason }]);
      grammar.done();
      return `${lines(events)}data: [DONE]\n\n`;
    },
  };
}

/** Events as the wire has them. */
export function lines(events: readonly SvedaEvent[]): string {
  return events.map((event) => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

/** Answers with a stream in one piece. */
export function streams(text: string): Answer {
  return (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
}

/** Answers with a refusal. */
export function refuses(status: number, error: string, headers: Record<string, string> = {}): Answer {
  return (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error, message: `It is ${error}.` }));
}
