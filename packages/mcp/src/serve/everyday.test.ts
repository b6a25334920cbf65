import { classifyInboundRequest } from '@modelcontextprotocol/server';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { body, headers } from './arbitrary.testkit.ts';
import { everydayEra } from './everyday.ts';
import { allRevisions, spoken } from './revisions.ts';
import { claim } from './testkit.ts';

const speaks = spoken(allRevisions);
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', arguments: { a: 1 } } };
const info = { 'io.modelcontextprotocol/clientInfo': { name: 'client', version: '1.0.0' } };
const claimed = { ...call, params: { ...call.params, _meta: { ...claim, ...info } } };

describe('everyday requests', () => {
  it('are recognised in both eras', () => {
    expect(everydayEra(call, null, null, speaks)).toBe('legacy');
    expect(everydayEra(call, '2025-06-18', null, speaks)).toBe('legacy');
    expect(everydayEra(claimed, '2026-07-28', 'tools/call', speaks)).toBe('modern');
  });

  const version = 'io.modelcontextprotocol/protocolVersion';
  const capabilities = 'io.modelcontextprotocol/clientCapabilities';
  const client = 'io.modelcontextprotocol/clientInfo';

  it.each([
    [{ ...claim, progressToken: {} }],
    [{ ...claim, [version]: '2025-11-25' }],
    [{ ...claim, [capabilities]: { roots: 1 } }],
    [{ [version]: '2026-07-28' }],
    [{ ...claim, [client]: { name: 'client' } }],
    [{ ...claim, [client]: { name: 1, version: '1' } }],
    [{ ...claim, [client]: { name: 'client', version: '1', icons: 1 } }],
    [[]],
  ])('are not those with the claim %j', (_meta) => {
    const request = { ...call, params: { ...call.params, _meta } };
    expect(everydayEra(request, '2026-07-28', 'tools/call', speaks)).toBeUndefined();
  });

  it('are only what the classifier takes for the same, for any body and headers', () => {
    let recognised = 0;
    fc.assert(
      fc.property(body, headers, (message, sent) => {
        const version = sent['mcp-protocol-version'];
        const method = sent['mcp-method'];
        const era = everydayEra(message, version ?? null, method ?? null, speaks);
        if (era === undefined) return;
        recognised += 1;
        const route = classifyInboundRequest({
          httpMethod: 'POST',
          body: message,
          ...(version !== undefined && { protocolVersionHeader: version }),
          ...(method !== undefined && { mcpMethodHeader: method }),
        });
        expect(route).toMatchObject(
          era === 'legacy'
            ? { kind: 'legacy', reason: 'no-claim' }
            : { kind: 'modern', messageKind: 'request', classification: { revision: '2026-07-28' } },
        );
      }),
      { numRuns: 5000 },
    );
    expect(recognised).toBeGreaterThan(100);
  });
});
