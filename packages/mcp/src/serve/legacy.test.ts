import { describe, expect, it } from 'vitest';
import { legacyRevisions } from './revisions.ts';
import { add, ask, legacyHeaders, legacyRequest, list, mounted, refusal, said } from './testkit.ts';

const { serve } = mounted([add]);

describe('the legacy era', () => {
  it.each([
    ...legacyRevisions.map((one) => [one, one] as [string, string]),
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
  ])('MER-7 negotiates %s to %s', async (asked, given) => {
    const { body } = await said(serve, legacyRequest('initialize', { protocolVersion: asked }));
    expect(body.result).toMatchObject({ protocolVersion: given, capabilities: { tools: {} } });
  });

  it('negotiates whatever the header names', async () => {
    const params = { protocolVersion: '2025-11-25' };
    const headers = { ...legacyHeaders, 'mcp-protocol-version': '1999-01-01' };
    const { body } = await said(serve, ask({ ...list, method: 'initialize', params }, headers));
    expect(body.result.protocolVersion).toBe('2025-11-25');
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
    expect(
      await refusal(serve, ask(list, { ...legacyHeaders, 'mcp-protocol-version': '1999-01-01' })),
    ).toEqual([400, -32000, 1]);
  });

  it.each(['server/discover', 'prompts/list', 'resources/list', 'no/such', '__proto__', 'constructor'])(
    'answers %s as an unknown method, in a good exchange',
    async (method) => {
      expect(await refusal(serve, legacyRequest(method))).toEqual([200, -32601, 1]);
      const { body } = await said(serve, legacyRequest(method));
      expect(body).toMatchObject({ error: { message: `Unknown method: ${method}` } });
    },
  );

  it('answers initialize without a revision as invalid', async () => {
    expect(await refusal(serve, legacyRequest('initialize', {}))).toEqual([200, -32602, 1]);
  });
});
