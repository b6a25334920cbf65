import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { body, headers } from './arbitrary.testkit.ts';
import {
  add,
  ask,
  doing,
  legacyHeaders,
  legacyRequest,
  listen,
  modernRequest,
  mounted,
  said,
} from './testkit.ts';

const echo = doing('echo', (input) => Promise.resolve({ content: [], structuredContent: input }));
const { serve, errors } = mounted([add, echo]);

describe('any body', () => {
  it('gets an answer that is no fault of ours', async () => {
    await fc.assert(
      fc.asyncProperty(body, headers, async (message, sent) => {
        const { status, body: answer } = await said(serve, ask(message, sent));
        expect([200, 202, 400, 404, 406]).toContain(status);
        if (status === 202) expect(answer).toBeUndefined();
        else expect('result' in answer).toBe(!('error' in answer));
      }),
      { numRuns: 2000 },
    );
    expect(errors).toEqual([]);
  });

  it('that is text is answered too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), headers, async (text, sent) => {
        expect((await said(serve, ask(text, sent))).status).toBeLessThan(500);
      }),
      { numRuns: 500 },
    );
  });

  const deep = `${'['.repeat(250_000)}${']'.repeat(250_000)}`;

  it.each([
    ['whole', deep],
    ['params', `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep}}}`],
    [
      'arguments',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":${deep}}}}`,
    ],
    [
      'echo',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":${deep}}}}`,
    ],
    ['_meta', `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a":${deep}}}}`],
  ])('may be as deep as it is long: %s', async (_where, text) => {
    expect((await said(serve, ask(text, legacyHeaders))).status).toBeLessThan(500);
  });
});

describe('over a real connection', () => {
  it('a body of unknown length is read up to the limit', async () => {
    const server = await listen(serve);
    const chunked = (bytes: number) =>
      fetch(server.url, {
        method: 'POST',
        headers: legacyHeaders,
        duplex: 'half',
        body: new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"ping"'));
            controller.enqueue(new TextEncoder().encode(' '.repeat(bytes)));
            controller.enqueue(new TextEncoder().encode('}'));
            controller.close();
          },
        }),
      });
    try {
      expect((await chunked(1000)).status).toBe(200);
      expect((await chunked(1024 * 1024)).status).toBe(413);
    } finally {
      await server.close();
    }
  });

  it('answers of every kind follow each other, whole, on one connection', async () => {
    const server = await listen(mounted([add], { headers: { 'x-constant': 'yes' } }).serve);
    const list = (id: string) => ask({ jsonrpc: '2.0', id, method: 'tools/list' });
    const requests = [
      list('põhi "1"'),
      modernRequest('tools/list'),
      legacyRequest('ping'),
      legacyRequest('no/such'),
      list('2'),
    ];
    try {
      const seen: unknown[] = [];
      for (const request of requests) {
        const { headers } = request;
        const answer = await fetch(server.url, { method: 'POST', headers, body: await request.text() });
        expect(answer.headers.get('content-type')).toBe('application/json');
        expect(answer.headers.get('x-constant')).toBe('yes');
        expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(0);
        const { id, result } = (await answer.json()) as { id: unknown; result?: { tools?: unknown[] } };
        seen.push([id, result?.tools?.length]);
      }
      expect(seen).toEqual([
        ['põhi "1"', 1],
        [1, 1],
        [1, undefined],
        [1, undefined],
        ['2', 1],
      ]);
    } finally {
      await server.close();
    }
  });
});
