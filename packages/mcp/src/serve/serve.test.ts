import { describe, expect, it } from 'vitest';
import { modernRevisions } from './revisions.ts';
import {
  add,
  ask,
  callerWith,
  legacyHeaders,
  legacyRequest,
  list,
  modernHeaders,
  modernList,
  modernRequest,
  mounted,
  said,
} from './testkit.ts';

const { serve } = mounted([add]);

describe('a mount of one era', () => {
  const strict = mounted([add], { revisions: ['2025-11-25'] });
  const { 'mcp-protocol-version': _, ...headless } = modernHeaders('tools/list');

  it.each([
    ['a modern request', modernRequest('server/discover')],
    ['a claim without a header', ask(modernList, headless)],
    [
      'a modern header without a claim',
      ask(list, { ...legacyHeaders, 'mcp-protocol-version': '2026-07-28' }),
    ],
    ['another legacy revision', ask(list, { ...legacyHeaders, 'mcp-protocol-version': '2025-06-18' })],
  ])('refuses %s in words that lead a client back', async (_what, request) => {
    const { status, body } = await said(strict.serve, request);
    expect([status, body.error.code, body.id]).toEqual([400, -32000, 1]);
  });

  it('negotiates every revision to its own', async () => {
    const { body } = await said(strict.serve, legacyRequest('initialize', { protocolVersion: '2025-03-26' }));
    expect(body.result.protocolVersion).toBe('2025-11-25');
  });

  it('refuses the legacy era with the revisions that it speaks', async () => {
    const modern = mounted([add], { revisions: modernRevisions });
    expect(
      await said(modern.serve, legacyRequest('initialize', { protocolVersion: '2025-11-25' })),
    ).toMatchObject({
      status: 400,
      body: { error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } } },
    });
    const note = ask({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect((await said(modern.serve, note)).status).toBe(202);
  });
});

describe('the caller', () => {
  it('is asked for before anything else is looked at', async () => {
    const closed = mounted([add], {
      authenticate: () => Promise.resolve(new Response('no', { status: 401 })),
    });
    for (const request of [new Request('http://localhost/mcp'), ask('{', {}), legacyRequest('ping')]) {
      expect((await closed.serve(request)).status).toBe(401);
    }
  });

  it('may be given, and so may the parsed body', async () => {
    const seen: string[] = [];
    const { serve: strict, offered } = mounted([add], {
      authenticate: () => Promise.reject(new Error('not asked')),
      surface: ({ name }) => (seen.push(name), offered),
    });
    const response = await strict(ask('unread', legacyHeaders), { body: list, caller: callerWith([]) });
    expect([response.status, seen]).toEqual([200, ['tester']]);
  });

  it('that cannot be resolved is an error of ours, with a reference', async () => {
    const { serve: broken, errors } = mounted([add], {
      authenticate: () => Promise.reject(new Error('no database')),
    });
    expect(await said(broken, legacyRequest('ping'))).toEqual({
      status: 500,
      body: {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32603, message: 'Something broke on our side. Reference: ref-1' },
      },
    });
    expect(errors).toEqual([{ error: new Error('no database'), reference: 'ref-1' }]);
  });
});

it.each([1, 2, 1, 0, -1, 'a', '"}', 'põhi', '1', 'x'.repeat(300), 'x'.repeat(300)])(
  'repeats the id %j in a result',
  async (id) => {
    for (const method of ['tools/list', 'ping']) {
      const { body } = await said(serve, ask({ jsonrpc: '2.0', id, method }));
      expect([body.id, body.error]).toEqual([id, undefined]);
    }
  },
);

it('sets its headers on every answer', async () => {
  const { serve: open } = mounted([add], { headers: { 'access-control-allow-origin': '*' } });
  const requests = [
    legacyRequest('ping'),
    legacyRequest('no/such'),
    ask('{'),
    new Request('http://localhost/mcp'),
  ];
  for (const request of [...requests, ask({ jsonrpc: '2.0', method: 'notifications/initialized' })]) {
    expect((await open(request)).headers.get('access-control-allow-origin')).toBe('*');
  }
});
