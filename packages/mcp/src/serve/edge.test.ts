import { describe, expect, it } from 'vitest';
import {
  add,
  ask,
  legacyHeaders,
  list,
  modernHeaders,
  modernList,
  mounted,
  refusal,
  said,
} from './testkit.ts';

const { serve } = mounted([add]);

describe('the edge', () => {
  const without = (name: string) =>
    Object.fromEntries(Object.entries(legacyHeaders).filter(([key]) => key !== name));

  it.each([
    ['no Content-Type', ask(list, without('content-type'))],
    ['another Content-Type', ask(list, { ...legacyHeaders, 'content-type': 'text/plain' })],
    ['one that only contains it', ask(list, { ...legacyHeaders, 'content-type': 'application/jsonp' })],
  ])('answers 415 to %s', async (_fault, request) => {
    expect((await said(serve, request)).status).toBe(415);
  });

  it.each(['application/json', 'Application/JSON; charset=utf-8'])('reads %s', async (type) => {
    expect((await said(serve, ask(list, { ...legacyHeaders, 'content-type': type }))).status).toBe(200);
  });

  it.each(['application/json', 'text/event-stream', '*/*', 'application/json-patch, text/event-stream'])(
    'answers 406 to a legacy request that accepts %s only',
    async (accept) => {
      expect((await said(serve, ask(list, { ...legacyHeaders, accept }))).status).toBe(406);
    },
  );

  it.each([
    ['initialize', { ...list, method: 'initialize', params: { protocolVersion: '2025-11-25' } }],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
  ])('answers 406 to %s too', async (_what, message) => {
    expect((await said(serve, ask(message, without('accept')))).status).toBe(406);
  });

  it('reads an Accept header in any order, case and quality', async () => {
    const accept = 'TEXT/event-stream;q=0.5, text/html, application/json';
    expect((await said(serve, ask(list, { ...legacyHeaders, accept }))).status).toBe(200);
  });

  it('does not look at Accept in the modern era', async () => {
    const request = ask(modernList, { ...modernHeaders('tools/list'), accept: 'text/html' });
    expect((await said(serve, request)).status).toBe(200);
  });

  it.each(['GET', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'])('answers 405 to %s', async (method) => {
    const response = await serve(new Request('http://localhost/mcp', { method }));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  const padded = (bytes: number) => ask(JSON.stringify(list).padEnd(bytes));

  it('answers 413 to a body above 1 MiB, counted where no length is sent', async () => {
    const long = padded(1024 * 1024 + 1);
    expect((await said(serve, long)).status).toBe(413);
    const declared = ask(list, { ...legacyHeaders, 'content-length': String(1024 * 1024 + 1) });
    expect((await said(serve, declared)).status).toBe(413);
  });

  it('reads a body of 1 MiB', async () => {
    expect((await said(serve, padded(1024 * 1024))).status).toBe(200);
  });

  it.each([
    ['no JSON', '{', -32700],
    ['nothing', '', -32700],
    ['a batch', [list], -32600],
    ['an empty batch', [], -32600],
    ['a batch with a modern request', [modernList], -32600],
    ['a number', 7, -32600],
    ['null', 'null', -32600],
    ['no version', { id: 1, method: 'ping' }, -32600],
    ['an id that is null', { ...list, id: null }, -32600],
    ['a fraction as id', { ...list, id: 1.5 }, -32600],
    ['params that are a list', { ...list, params: [] }, -32600],
    ['one member too many', { ...list, more: 1 }, -32600],
  ])('answers 400 to %s', async (_fault, body, code) => {
    const [status, found] = await refusal(serve, ask(body));
    expect([status, found]).toEqual([400, code]);
  });

  it.each([
    ['a notification', ask({ jsonrpc: '2.0', method: 'notifications/initialized' })],
    ['an answer that nobody asked for', ask({ jsonrpc: '2.0', id: 1, result: {} })],
    [
      'a modern notification',
      ask(
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
        modernHeaders('notifications/cancelled'),
      ),
    ],
  ])('answers 202 and nothing to %s', async (_what, request) => {
    expect(await said(serve, request)).toEqual({ status: 202, body: undefined });
  });
});
