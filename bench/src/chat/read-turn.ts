import { request as post, type Agent, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { delaysOf, deltaOf, withoutStamps, type ChatRequest, type Question } from './conversation.ts';

/** One turn as its reader saw it. */
export interface ReadTurn {
  readonly text: string;
  /** Milliseconds from the request to the first byte of the answer's text. */
  readonly first: number;
  /** Milliseconds that the first word, and each word, was under way from the provider. */
  readonly firstDelay: number;
  readonly delays: readonly number[];
  /** Milliseconds from the request to the end of the stream. */
  readonly whole: number;
  /** Server-sent events that carried text. */
  readonly events: number;
}

/** What an event may say of the turn that it belongs to. */
export interface TurnEvent {
  readonly chatId?: string;
  readonly turnId?: string;
}

/** How a turn is read. */
export interface Reading {
  readonly agent: Agent | false;
  readonly question: Question;
  /** Told the first event with a word. */
  readonly begun?: (event: TurnEvent) => void;
}

/** Asks, and reads the stream to its end. Throws when the server refuses. */
export async function readTurn(asked: ChatRequest, { agent, question, begun }: Reading): Promise<ReadTurn> {
  const begin = performance.now();
  const sent = post(asked.url, { method: 'POST', headers: asked.headers, agent });
  sent.end(asked.bodies[question]);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.setEncoding('utf8');
  let [text, events, first, rest] = ['', 0, Number.NaN, ''];
  const delays: number[] = [];
  for await (const chunk of response) {
    const blocks = (rest + String(chunk)).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const event of blocks.flatMap(eventIn)) {
      const delta = deltaOf(event, asked.dialect);
      if (delta === '') continue;
      delays.push(...delaysOf(delta));
      if (events++ === 0) {
        first = performance.now() - begin;
        begun?.(event);
      }
      text += delta;
    }
  }
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}: ${rest.slice(0, 300)}`);
  const [firstDelay = Number.NaN] = delays;
  return { text: withoutStamps(text), first, firstDelay, delays, whole: performance.now() - begin, events };
}

/** The event in a block of a stream; none in a comment and in the last one. */
function eventIn(block: string): TurnEvent[] {
  const data = block
    .split('\n')
    .find((line) => line.startsWith('data: '))
    ?.slice(6);
  return data === undefined || data === '[DONE]' ? [] : [JSON.parse(data) as TurnEvent];
}
