import { describe, expect, it } from 'vitest';
import { legacyRevisions, modernRevisions } from './revisions.ts';
import {
  add,
  ask,
  callerWith,
  claim,
  legacyHeaders,
  legacyRequest,
  modernHeaders,
  modernRequest,
  mounted,
  said,
} from './testkit.ts';

const { serve } = mounted([add]);
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const modernList = { ...list, params: { _meta: claim } };

/** Status and error code, which is all that a client branches on. */
async function refusal(request: Request): Promise<[number, number | undefined, unknown]> {
  const { status, body } = await said(serve, request);
  return [status, body?.error?.code, body?.id];
}

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
    const [status, found] = await refusal(ask(body));
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

describe('the legacy era', () => {
  it.each([
    ...legacyRevisions.map((one) => [one, one] as [string, string]),
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ])('MER-7 negotiates %s to %s', async (asked, given) => {
    const { body } = await said(serve, legacyRequest('initialize', { protocolVersion: asked }));
    expect(body.result).toMatchObject({ protocolVersion: given, capabilities: { tools: {} } });
  });

  it('never gives a session', async () => {
    const response = await serve(legacyRequest('initialize', { protocolVersion: '2025-11-25' }));
    expect(response.headers.get('mcp-session-id')).toBeNull();
  });

  it('MER-7 answers any request without an initialize before it', async () => {
    expect((await said(serve, legacyRequest('tools/list'))).body.result.tools).toHaveLength(1);
    expect((await said(serve, legacyRequest('ping'))).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('answers 400 to a revision in the header that it does not speak', async () => {
    expect(await refusal(ask(list, { ...legacyHeaders, 'mcp-protocol-version': '1999-01-01' }))).toEqual([
      400, -32000, 1,
    ]);
  });

  it.each(['server/discover', 'prompts/list', 'resources/list', 'no/such', '__proto__', 'constructor'])(
    'answers %s as an unknown method, in a good exchange',
    async (method) => {
      expect(await refusal(legacyRequest(method))).toEqual([200, -32601, 1]);
    },
  );

  it('answers initialize without a revision as invalid', async () => {
    expect(await refusal(legacyRequest('initialize', {}))).toEqual([200, -32602, 1]);
  });
});

describe('the modern era', () => {
  it('MER-7 introduces itself at server/discover', async () => {
    const { status, body } = await said(serve, modernRequest('server/discover'));
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
    });
  });

  const unclaimed = (_meta: object) => ask({ ...list, params: { _meta } }, modernHeaders('tools/list'));
  const { 'io.modelcontextprotocol/protocolVersion': version, ...noVersion } = claim;

  it.each([
    ['no claim', ask(list, modernHeaders('tools/list')), -32602],
    ['no revision in its claim', unclaimed(noVersion), -32602],
    [
      'no capabilities in its claim',
      unclaimed({ 'io.modelcontextprotocol/protocolVersion': version }),
      -32602,
    ],
    ['another revision in its header', ask(modernList, legacyHeaders), -32020],
    ['no revision in its header', ask(modernList, without('mcp-protocol-version')), -32020],
    ['no Mcp-Method', ask(modernList, without('mcp-method')), -32020],
    ['another Mcp-Method', ask(modernList, modernHeaders('tools/call')), -32020],
  ])('answers 400 to %s', async (_fault, request, code) => {
    expect(await refusal(request)).toEqual([400, code, 1]);
  });

  function without(name: string): Record<string, string> {
    return Object.fromEntries(Object.entries(modernHeaders('tools/list')).filter(([key]) => key !== name));
  }

  const call = (name: string, header: string | undefined) =>
    ask(
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: { a: 1, b: 2 }, _meta: claim },
      },
      modernHeaders('tools/call', header),
    );

  it.each([
    ['is missing', undefined],
    ['names another tool', 'ad'],
    ['is broken Base64', '=?base64?YWRk!?='],
    ['is Base64 of another name', '=?base64?YWRkMg==?='],
  ])('answers 400 when Mcp-Name %s', async (_fault, header) => {
    expect(await refusal(call('add', header))).toEqual([400, -32020, 1]);
  });

  it.each(['add', '=?base64?YWRk?='])('calls the tool that Mcp-Name %s names', async (header) => {
    expect((await said(serve, call('add', header))).body.result.structuredContent).toEqual({ sum: 3 });
  });

  it('names the revisions that it speaks to whoever asks for another', async () => {
    const unknown = { ...claim, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const headers = { ...modernHeaders('server/discover'), 'mcp-protocol-version': '2099-01-01' };
    const body = { jsonrpc: '2.0', id: 9, method: 'server/discover', params: { _meta: unknown } };
    expect(await said(serve, ask(body, headers))).toMatchObject({
      status: 400,
      body: { id: 9, error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } } },
    });
  });

  it.each(['initialize', 'ping', 'logging/setLevel', 'subscriptions/listen', 'no/such'])(
    'answers 404 to %s',
    async (method) => {
      expect(await refusal(modernRequest(method))).toEqual([404, -32601, 1]);
    },
  );
});

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
