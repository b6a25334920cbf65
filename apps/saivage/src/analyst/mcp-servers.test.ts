import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { everything } from '../testing/outward.ts';
import { receiptsOf } from '../testing/receipts.ts';
import { analystToken, openTestServer } from '../testing/server.ts';

const tools = ['mcp_server_control', 'mcp_tools', 'mcp_tool_call'];

/** A server whose external Analyst has been given MCP servers, and the official client connected to it. */
async function openAnalyst(mode: 'external' | 'both') {
  const yaml = JSON.stringify({ mcpServers: { everything: everything() } });
  const server = await openTestServer({ mode, tools, yaml });
  const client = new Client({ name: 'local-operator', version: '1' });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(server.analystUrl), {
      requestInit: { headers: { Authorization: `Bearer ${analystToken}` } },
    }),
  );
  const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
  return { server, client, call };
}

interface Envelope {
  readonly success: boolean;
  readonly data?: Record<string, string>;
  readonly error?: { readonly code: string };
  readonly content?: readonly Record<string, unknown>[];
}
const envelopeOf = (result: Awaited<ReturnType<Client['callTool']>>) => result.structuredContent as Envelope;

describe('the external Analyst and MCP servers', () => {
  for (const mode of ['external', 'both'] as const)
    it(`SAI-39.3 SAI-16.2 starts, lists and calls where it is selected: ${mode}`, async () => {
      const { server, client, call } = await openAnalyst(mode);
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools);
      const started = envelopeOf(
        await call('mcp_server_control', { serverName: 'everything', action: 'start' }),
      );
      expect(started).toMatchObject({ success: true, data: { status: 'running', toolCount: 14 } });
      const listed = envelopeOf(
        await call('mcp_tools', { serverName: 'everything', toolName: 'get-tiny-image' }),
      );
      const { bindingId, catalogId } = listed.data ?? {};
      expect([bindingId, catalogId]).toEqual([started.data?.['bindingId'], started.data?.['catalogId']]);
      const ids = { serverName: 'everything', bindingId, catalogId };

      const image = await call('mcp_tool_call', { ...ids, toolName: 'get-tiny-image', max_dimension: 8 });
      expect(image.content).toMatchObject([{ type: 'text' }, { type: 'image', mimeType: 'image/png' }]);
      expect(envelopeOf(image).content).toEqual([
        { type: 'text', text: { untrusted: "Here's the image you requested:" } },
        {
          type: 'image',
          image: 0,
          mimeType: 'image/png',
          bytes: expect.any(Number) as number,
          source: { width: 20, height: 20 },
          sent: { width: 8, height: 8 },
        },
        { type: 'text', text: { untrusted: 'The image above is the MCP logo.' } },
      ]);

      const args = { data: 'http://127.0.0.1:1/' };
      const failed = await call('mcp_tool_call', { ...ids, toolName: 'gzip-file-as-resource', args });
      expect([failed.isError, envelopeOf(failed)]).toMatchObject([
        true,
        { success: false, error: { code: 'tool_failed', details: { effects: 'possible' } } },
      ]);
      const stale = await call('mcp_tool_call', { ...ids, catalogId: bindingId, toolName: 'echo' });
      expect(envelopeOf(stale).error?.code).toBe('catalog_stale');
      expect((await receiptsOf(server)).map(({ outcome }) => outcome)).toEqual([
        'failed',
        'uncertain',
        'succeeded',
        'succeeded',
        'succeeded',
      ]);
    });

  it('SAI-39.3 has no operation that was not selected', async () => {
    const { call } = await openAnalyst('external');
    await expect(call('mcp_server_list', {})).rejects.toThrow('Unknown tool');
  });
});
