import type { ServerResponse } from 'node:http';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { callIn, resultsIn, talk } from '../testing/opened.ts';
import { readEvents } from '../testing/sveda.ts';

const LETTERS = 'õäöü € 漢字 👩‍🚀';

/** Sends every byte by itself. */
async function bytewise(target: { write(chunk: Buffer): boolean; end(): void }, text: string): Promise<void> {
  for (const byte of Buffer.from(text)) {
    target.write(Buffer.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
  target.end();
}

describe('letters', () => {
  it('C-03 come whole to the host and back, byte by byte with lines that end in CRLF, and stand whole in history', async () => {
    const { host, visitor } = await talk({
      model: (_request, index) =>
        index === 0
          ? { calls: [{ name: 'echo', args: { text: LETTERS } }], chunkBytes: 1, crlf: true }
          : { text: LETTERS, chunkBytes: 1 },
      host: [{ name: 'echo' }],
      hostOptions: {
        answer: ({ text }) => ({ content: [{ type: 'text', text }], structuredContent: { text } }),
        write: (response: ServerResponse, text) => void bytewise(response, text),
      },
    });
    const events = await visitor.stream({ message: { text: LETTERS } });
    expect(host.calls()).toEqual([`echo ${JSON.stringify({ text: LETTERS })}`]);
    expect(events.find(({ type }) => type === 'tool.result')).toMatchObject({
      content: [{ text: LETTERS }],
      structuredContent: { text: LETTERS },
    });
    const said = events.flatMap((event) => (event.type === 'text.delta' ? [event.delta] : [])).join('');
    expect(said).toBe(LETTERS);
    expect((await visitor.chat(events[0]?.chatId)).turns[0]?.events).toEqual(events);
  });

  it('C-03 of a result of the page come whole, however its post is cut', async () => {
    const { server, visitor, requests } = await talk({
      model: (_request, index) => (index === 0 ? { calls: [{ name: 'pick', args: {} }] } : { text: 'Done.' }),
    });
    const clientTools = [{ name: 'pick', description: 'Picks.', parameters: { type: 'object' } }];
    const first = await visitor.stream({ message: { text: 'Pick' }, clientTools });
    const toolCallId = callIn(first, 'pick');
    const body = JSON.stringify({
      chatId: first[0]?.chatId,
      toolResults: [{ toolCallId, output: { text: LETTERS } }],
      clientTools,
    });
    const answer = await new Promise<string>((resolve, reject) => {
      const post = request(
        new URL('/sveda/stream', server.origin),
        { method: 'POST', headers: { ...visitor.headers, 'content-type': 'application/json' } },
        (response) =>
          void response
            .setEncoding('utf8')
            .toArray()
            .then((chunks) => resolve(chunks.join('')), reject),
      );
      void bytewise(post, body);
    });
    expect(readEvents(answer).find(({ type }) => type === 'tool.result')).toMatchObject({
      structuredContent: { text: LETTERS },
    });
    expect(JSON.stringify(requests[1]?.body)).toContain(LETTERS);
  });

  it('C-03 that are cut off at the end of a host’s answer are one stated failure', async () => {
    const { visitor } = await talk({
      script: '- calls: [{ name: echo }]\n- text: Done.',
      host: [{ name: 'echo' }],
      hostOptions: {
        write: (response, text) => response.end(Buffer.from(text).subarray(0, -9)),
        answer: () => ({ content: [{ type: 'text', text: LETTERS }] }),
      },
    });
    const events = await visitor.stream({ message: { text: 'Go' } });
    expect(resultsIn(events)).toEqual(['echo: failed']);
    expect(events.at(-1)).toMatchObject({ finishReason: 'stop' });
  });
});
