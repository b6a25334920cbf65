import { describe, expect, it } from 'vitest';
import {
  add,
  ask,
  claim,
  legacyHeaders,
  list,
  modernHeaders,
  modernList,
  modernRequest,
  mounted,
  refusal,
  said,
} from './testkit.ts';

const { serve } = mounted([add]);

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
    expect(await refusal(serve, request)).toEqual([400, code, 1]);
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
    expect(await refusal(serve, call('add', header))).toEqual([400, -32020, 1]);
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
      expect(await refusal(serve, modernRequest(method))).toEqual([404, -32601, 1]);
    },
  );
});
