import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newHttpAnswer } from './http-answer.ts';
import { callOf, connected, textOf } from './testing/opened.ts';
import { echo, events, FILL, json, serve, text, writeFilled } from './testing/web.ts';
import type { Handler, Posted } from './testing/web.ts';

const SOON = { interval: 5 };

describe('a call over HTTP', () => {
  it('SAI-35.7 that is given up closes its own request and leaves the others alone', async () => {
    const heard: string[] = [];
    const closed: string[] = [];
    const caller = new AbortController();
    const hang: Handler = ({ id, params }, response) => {
      heard.push(String(id));
      response.once('close', () => closed.push(String(id)));
      if (params?.arguments?.until === 'heard') caller.abort();
    };
    const slow: Handler = (posted, response) =>
      void setTimeout(() => json(response, posted, text('slow')), 400);
    const { definition, methods } = await serve({ hang, slow, echo });
    const connection = await connected(definition);
    const other = callOf(connection, 'slow');
    await expect(callOf(connection, 'hang', {}, { budget: 150 })).rejects.toMatchObject({
      code: 'timeout',
      effects: 'possible',
    });
    const { signal } = caller;
    await expect(callOf(connection, 'hang', { until: 'heard' }, { signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    // A busy machine may not even have sent what ends after so short a time.
    await expect.poll(() => closed.length === heard.length, SOON).toBe(true);
    expect(closed).toContain(heard.at(-1));
    await expect.poll(methods, SOON).toContain('notifications/cancelled');
    expect(textOf(await other)).toBe('slow');
    expect(textOf(await callOf(connection, 'echo'))).toBe('echo');
  });

  it('SAI-35.7 that is given up with more than a hundred others ends none but those', async () => {
    const { definition, requests } = await serve({ hang: () => undefined, echo });
    const connection = await connected(definition);
    const callers = Array.from({ length: 101 }, () => new AbortController());
    const calls = callers.map(({ signal }) => callOf(connection, 'hang', {}, { signal }));
    await expect.poll(() => requests.filter(({ params }) => params?.name === 'hang'), SOON).toHaveLength(101);
    for (const caller of callers) caller.abort();
    const ends = await Promise.allSettled(calls);
    expect(ends).toEqual(
      ends.map(() => ({
        status: 'rejected',
        reason: expect.objectContaining({ code: 'cancelled' }) as Error,
      })),
    );
    expect(textOf(await callOf(connection, 'echo'))).toBe('echo');
  });

  it('SAI-35.5 gets events: requests of the server, which are answered, progress, and its own answer', async () => {
    const stream: Handler = (posted, response) => {
      const { id, params } = posted;
      const { _meta: { progressToken } = {} } = params as { _meta?: { progressToken?: number } };
      events(response, { jsonrpc: '2.0', id: 'p', method: 'ping' });
      events(response, { jsonrpc: '2.0', id: 's', method: 'sampling/createMessage', params: {} });
      events(response, { jsonrpc: '2.0', id: 'r', method: 'roots/list' });
      events(response, {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress: 1 },
      });
      const line = Buffer.from(
        `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: text('õ€漢👩‍🚀') })}\r\n\r\n`,
      );
      for (const byte of line) response.write(Buffer.from([byte]));
      response.end();
    };
    const { definition, requests } = await serve({ stream });
    const connection = await connected(definition);
    const seen: unknown[] = [];
    const result = await callOf(
      connection,
      'stream',
      {},
      { onProgress: (progress: unknown) => seen.push(progress) },
    );
    expect(textOf(result)).toBe('õ€漢👩‍🚀');
    expect(seen).toEqual([{ progress: 1 }]);
    const answers = () =>
      requests.filter(({ method }) => method === 'POST' || method === undefined).map(({ id }) => id);
    await expect.poll(answers, SOON).toHaveLength(3);
    const unknown = { error: { code: -32_601, message: 'Method not found' } };
    expect(requests).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'p', result: {} }),
        expect.objectContaining({ id: 's', ...unknown }),
        expect.objectContaining({ id: 'r', ...unknown }),
      ]),
    );
  });

  it.each([
    ['breaks off', (_: Posted, response: ServerResponse) => response.destroy(), 'unreachable'],
    [
      'breaks off in its events',
      (_: Posted, response: ServerResponse) => {
        events(response, {
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { level: 'info', data: 1 },
        });
        setTimeout(() => response.destroy(), 20);
      },
      'unreachable',
    ],
    [
      'ends its events without an answer',
      (_: Posted, response: ServerResponse) => (events(response), response.end()),
      'unreachable',
    ],
    [
      'is for another request',
      (posted: Posted, response: ServerResponse) => json(response, { ...posted, id: 5 }, text('x')),
      'answer_malformed',
    ],
    [
      'is no JSON',
      (_: Posted, response: ServerResponse) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
      'answer_malformed',
    ],
    [
      'is HTML',
      (_: Posted, response: ServerResponse) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      'answer_malformed',
    ],
    [
      'is only an acceptance',
      (_: Posted, response: ServerResponse) => response.writeHead(202).end(),
      'answer_malformed',
    ],
    [
      'is a fault of the server',
      (_: Posted, response: ServerResponse) => response.writeHead(500).end('oops'),
      'http_refused',
    ],
    [
      'is sent elsewhere',
      (_: Posted, response: ServerResponse) =>
        response.writeHead(302, { location: 'http://example.invalid/' }).end(),
      'http_refused',
    ],
  ])('SAI-35.8 whose answer %s fails soon, as possibly done', async (_, bad: Handler, code) => {
    const { definition, requests } = await serve({ bad, echo });
    const connection = await connected(definition);
    await expect(callOf(connection, 'bad')).rejects.toMatchObject({ code, effects: 'possible' });
    expect(textOf(await callOf(connection, 'echo'))).toBe('echo');
    expect(requests.filter(({ params }) => params?.name === 'bad')).toHaveLength(1);
  });

  const MIB = 1024 * 1024;
  /** An answer of exactly so many bytes, in one piece or as one event after a small one. */
  const sized =
    (bytes: number, how: 'declared' | 'chunked' | 'event'): Handler =>
    (posted, response) => {
      const type = how === 'event' ? 'text/event-stream' : 'application/json';
      const [before, after] = how === 'event' ? ['data: ', '\r\n\r\n'] : ['', ''];
      const body = (fill: string) => ({ jsonrpc: '2.0', id: posted.id, result: text(fill) });
      response.writeHead(200, {
        'content-type': type,
        ...(how === 'declared' && { 'content-length': bytes }),
      });
      if (how === 'event') response.write(': the next one is long\r\n\r\n');
      const frame = `${before}${JSON.stringify(body(''))}${after}`.length;
      writeFilled(response, body(FILL), bytes - frame, before, after);
    };

  it.each(['declared', 'chunked', 'event'] as const)(
    'SAI-35.8 SAI-38.10 takes an answer of 48 MiB and refuses one byte more: %s',
    async (how) => {
      const { definition } = await serve({
        edge: sized(48 * MIB, how),
        over: sized(48 * MIB + 1, how),
        echo,
      });
      const connection = await connected(definition);
      const taken = textOf(await callOf(connection, 'edge'));
      expect(taken.length).toBeGreaterThan(48 * MIB - 100);
      await expect(callOf(connection, 'over')).rejects.toMatchObject({
        code: 'answer_too_large',
        effects: 'possible',
      });
      expect(textOf(await callOf(connection, 'echo'))).toBe('echo');
    },
  );

  it('SAI-35.8 takes a packed answer, as large as what is in it, and none packed in a way that was not asked for', async () => {
    const packed =
      (bodyOf: (id: number | undefined) => string | Buffer, encoding = 'gzip'): Handler =>
      ({ id }, response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
          .end(gzipSync(bodyOf(id), { level: 1 }));
    const small = (id: number | undefined) => JSON.stringify({ jsonrpc: '2.0', id, result: text('xxxxx') });
    const { definition, requests } = await serve({
      small: packed(small),
      bomb: packed(() => Buffer.alloc(49 * MIB)),
      unknown: packed(small, 'compress'),
      loud: packed(small, 'X-GZip'),
      plain: (posted, response) =>
        json(response.setHeader('content-encoding', 'Identity'), posted, text('as it is')),
      echo,
    });
    const connection = await connected(definition);
    expect(textOf(await callOf(connection, 'small'))).toBe('xxxxx');
    expect(textOf(await callOf(connection, 'loud'))).toBe('xxxxx');
    expect(textOf(await callOf(connection, 'plain'))).toBe('as it is');
    await expect(callOf(connection, 'bomb')).rejects.toMatchObject({ code: 'answer_too_large' });
    await expect(callOf(connection, 'unknown')).rejects.toMatchObject({ code: 'answer_malformed' });
    expect(textOf(await callOf(connection, 'echo'))).toBe('echo');
    expect(requests.at(-1)?.headers).toMatchObject({ 'accept-encoding': 'gzip', 'user-agent': 'portolan' });
  });

  it('SAI-35.4 leaves others their turn, however fast its bytes come', async () => {
    const seen = { paused: false, turn: false };
    const controller: Parameters<typeof newHttpAnswer>[0] = {
      get paused() {
        return seen.paused;
      },
      aborted: false,
      reason: null,
      pause: () => void (seen.paused = true),
      resume() {
        // As an HTTP parser does that has more in its hands.
        for (seen.paused = false; !seen.paused;) answer?.push(Buffer.from(': on and on\n\n'));
      },
      abort: () => undefined,
    };
    const head = { status: 200, received: { 'content-type': 'text/event-stream' } };
    const answer = newHttpAnswer(controller, head, () => undefined);
    controller.resume();
    setImmediate(() => (seen.turn = true));
    const reader = answer?.response.body?.getReader();
    for (let reads = 0; !seen.turn && reads < 100_000; reads++) await reader?.read();
    expect(seen.turn).toBe(true);
  });

  it('SAI-35.7 closes a stream that goes on after its answer', async () => {
    const closed: string[] = [];
    const stays: Handler = (posted, response) => {
      response.once('close', () => closed.push('stream'));
      events(response, { jsonrpc: '2.0', id: posted.id, result: text('here') });
    };
    const { definition } = await serve({ stays, echo });
    const connection = await connected(definition);
    expect(textOf(await callOf(connection, 'stays'))).toBe('here');
    await expect.poll(() => closed, SOON).toEqual(['stream']);
    expect(textOf(await callOf(connection, 'echo'))).toBe('echo');
  });

  it('SAI-35.8 holds no socket for a body where none may be', async () => {
    const closed: string[] = [];
    const reset: Handler = (_, response) => {
      response.once('close', () => closed.push('answer'));
      response.writeHead(205).write('more and more');
    };
    const { definition } = await serve({ reset, echo });
    const connection = await connected(definition);
    await expect(callOf(connection, 'reset')).rejects.toMatchObject({ code: 'answer_malformed' });
    await expect.poll(() => closed, SOON).toEqual(['answer']);
    expect(textOf(await callOf(connection, 'echo'))).toBe('echo');
  });

  it('SAI-35.5 ends with a server that asks and never takes an answer', async () => {
    const asks: Handler = (_, response) => {
      for (let id = 0; id <= 100; id++) events(response, { jsonrpc: '2.0', id: `p${id}`, method: 'ping' });
    };
    const { definition } = await serve({ asks }, ({ method }) => method === undefined);
    const connection = await connected(definition);
    await expect(callOf(connection, 'asks')).rejects.toMatchObject({
      code: 'unreachable',
      message: 'The connection to the server failed: it does not take our answers.',
    });
  });

  it('SAI-35.8 breaks off where its status is none', async () => {
    const odd: Handler = (_, response) => response.writeHead(799).end();
    const { definition } = await serve({ odd, echo });
    const connection = await connected(definition);
    await expect(callOf(connection, 'odd')).rejects.toMatchObject({ code: 'answer_malformed' });
    expect(textOf(await callOf(connection, 'echo'))).toBe('echo');
  });

  it('SAI-35.8 breaks off an event without an end, and takes any number of events', async () => {
    const endless: Handler = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: ');
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(MIB)));
      };
      response.on('drain', more);
      more();
    };
    const many: Handler = async (posted, response) => {
      // 60 MiB in all, each blank line cut in its middle.
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let event = 0; event < 60; event++) {
        for (const piece of [`: ${'x'.repeat(MIB)}\n`, '\n'])
          await new Promise((written) => response.write(piece, written));
      }
      events(response, { jsonrpc: '2.0', id: posted.id, result: text('at last') });
      response.end();
    };
    const { definition } = await serve({ endless, many, echo });
    const connection = await connected(definition);
    await expect(callOf(connection, 'endless')).rejects.toMatchObject({ code: 'answer_too_large' });
    expect(textOf(await callOf(connection, 'many'))).toBe('at last');
  });
});
