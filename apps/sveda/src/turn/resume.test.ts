import { get } from 'node:http';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { startModelServer } from '@portolan/agent/testing';
import type { SvedaEvent } from '@sveda-ai/protocol';
import { createGrammar } from '@sveda-ai/protocol/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testNodes, yamlFor } from '../testing/nodes.ts';
import { firstEvent } from '../testing/streams.ts';
import { post, readEvents } from '../testing/sveda.ts';

const SLOW = process.env.PORTOLAN_TRUE_TIME === '1';

/** Cuts in all, and turns that they are spread over. */
const CUTS = SLOW ? 1_000 : 30;
const TURNS = SLOW ? 10 : 3;

const text = Array.from({ length: 150 }, (_, index) => `word${index} õäü 漢字`).join(' ');

let model: Awaited<ReturnType<typeof startModelServer>>;
let nodes: Awaited<ReturnType<typeof testNodes>>;
beforeAll(async () => {
  model = await startModelServer(() => ({ text, paceMs: 6 }));
  nodes = await testNodes(yamlFor(model), 3);
});
afterAll(async () => {
  await nodes.close();
  await model.close();
});

/** Reads on after `last` from one node until so many bytes have come, then tears the connection. Events that came whole count. */
async function readPiece(
  url: URL,
  headers: Record<string, string>,
  last: number,
  bytes: number,
): Promise<{ events: SvedaEvent[]; isDone: boolean }> {
  const asked = get(url, { headers: { ...headers, 'last-event-id': String(last) }, agent: false });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length >= bytes) break;
  }
  asked.destroy();
  const whole = Buffer.concat(chunks).subarray(0, Math.max(bytes, 0)).toString('utf8');
  const blocks = whole
    .split('\n\n')
    .slice(0, -1)
    .filter((block) => !block.startsWith(':'));
  const isDone = blocks.at(-1) === 'data: [DONE]';
  const data = (isDone ? blocks.slice(0, -1) : blocks).map((block) => block.split('\ndata: ')[1] ?? '');
  return { events: data.map((one) => JSON.parse(one) as SvedaEvent), isDone };
}

/** Reads a running turn from whichever node, torn after a random number of bytes each time. */
async function readInPieces(
  turn: string,
  headers: Record<string, string>,
  cuts: number,
  random: () => number,
) {
  const events: SvedaEvent[] = [];
  let torn = 0;
  for (;;) {
    const origin = nodes.origins[Math.floor(random() * nodes.origins.length)] ?? '';
    const bytes = torn < cuts ? Math.floor(random() * (SLOW ? 600 : 2_000)) : Number.POSITIVE_INFINITY;
    const piece = await readPiece(new URL(turn, origin), headers, events.at(-1)?.id ?? 0, bytes);
    events.push(...piece.events);
    if (piece.isDone) return { events, torn };
    torn += 1;
  }
}

describe('a stream that is cut', () => {
  it(
    `SVE-12.1 goes on from any node after each of ${CUTS} random cuts: nothing lost, nothing doubled`,
    { timeout: SLOW ? 300_000 : 120_000 },
    async ({ annotate }) => {
      const headers = await nodes.mint({ visitor_id: 'v' });
      const random = seeded(20261130);
      let torn = 0;
      await Promise.all(
        Array.from({ length: TURNS }, async (_, index) => {
          const origin = nodes.origins[index % nodes.origins.length] ?? '';
          const begun = await post(origin, '/sveda/stream', { message: { text: 'Tell' } }, headers);
          const head = await firstEvent(begun);
          const turn = `/sveda/chats/${head.chatId}/turns/${head.turnId}/events`;
          // First as it runs, then, while more is to be torn than it had bytes for, as it is stored.
          for (let left = CUTS / TURNS; left > 0;) {
            const read = await readInPieces(turn, headers, left, random);
            left -= read.torn;
            torn += read.torn;
            const stored = readEvents(await (await fetch(new URL(turn, origin), { headers })).text());
            expect(read.events).toEqual(stored);
            const grammar = createGrammar();
            for (const event of read.events) grammar.take(event);
            grammar.done();
            expect(textOf(read.events)).toBe(text);
          }
        }),
      );
      expect(torn).toBeGreaterThanOrEqual(CUTS);
      await annotate(`${torn} cuts over ${TURNS} turns: no event lost, none doubled`);
    },
  );
});

function textOf(events: readonly SvedaEvent[]): string {
  return events.map((event) => (event.type === 'text.delta' ? event.delta : '')).join('');
}

/** Numbers between 0 and 1, the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
