import { request as post, type Agent, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { deltaOf, type ChatRequest } from './conversation.ts';

/** One turn as its reader saw it. */
export interface ReadTurn {
  readonly text: string;
  /** Milliseconds from the request to the first byte of the answer's text. */
  readonly first: number;
  /** Milliseconds from the request to the end of the stream. */
  readonly whole: number;
  /** Server-sent events that carried text. */
  readonly events: number;
}

/** Asks, and reads the stream to its end. Throws when the server refuses. */
export async function readTurn(asked: ChatRequest, agent: Agent): Promise<ReadTurn> {
  const begin = performance.now();
  const sent = post(asked.url, { method: 'POST', headers: asked.headers, agent });
  sent.end(asked.body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.setEncoding('utf8');
  let [text, events, first, rest] = ['', 0, Number.NaN, ''];
  for await (const chunk of response) {
    const blocks = (rest + String(chunk)).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const delta of blocks.map((block) => textIn(block, asked)).filter((part) => part !== '')) {
      if (events++ === 0) first = performance.now() - begin;
      text += delta;
    }
  }
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}: ${rest.slice(0, 300)}`);
  return { text, first, whole: performance.now() - begin, events };
}

/** The text in one server-sent event. */
function textIn(block: string, { dialect }: ChatRequest): string {
  const data = block
    .split('\n')
    .find((line) => line.startsWith('data: '))
    ?.slice(6);
  return data === undefined || data === '[DONE]' ? '' : deltaOf(JSON.parse(data) as object, dialect);
}
