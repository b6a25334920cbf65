import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { goodRequest } from '../testing/requests.ts';
import { analystToken, openTestServer, type TestServer } from '../testing/server.ts';
import { exchange, headBytes } from '../testing/wire.ts';

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await openTestServer({ tools: ['read', 'get_status', 'show_config', 'count', 'refuse', 'crash'] });
  writeFileSync(join(server.folder.root, 'README.md'), 'Hello.\n');
});
afterAll(() => server.close());
beforeEach(async () => {
  client = new Client({ name: 'local-operator', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(server.analystUrl), {
      requestInit: { headers: { Authorization: `Bearer ${analystToken}` } },
    }),
  );
});
afterEach(() => client.close());

const ask = async (method: string, params?: object) => {
  const parts = goodRequest(server, { jsonrpc: '2.0', id: 7, method, ...(params && { params }) });
  const { status, body } = await exchange(server.analystPort, headBytes(parts) + parts.body);
  return {
    status,
    answer: JSON.parse(body) as { result?: Record<string, unknown>; error?: { code: number } },
  };
};

describe('initialize', () => {
  it('SAI-21.1 SAI-23.1 binds the connection to the project and says on whose behalf', async () => {
    const { answer } = await ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    });
    const project = JSON.parse(readFileSync(server.folder.identity, 'utf8')) as Record<string, string>;
    const digest = createHash('sha256')
      .update(`{"id":"${project['id']}","created_at":"${project['created_at']}"}`)
      .digest('hex');
    expect(server.analystUrl).toBe(`http://127.0.0.1:${server.analystPort}/mcp/analyst/${digest}`);
    expect(answer.result).toMatchObject({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, resources: {} },
      instructions: expect.stringContaining('No earlier conversation is part of this connection.'),
      _meta: {
        saivage: {
          projectIdentityDigest: digest,
          projectName: project['name'],
          analystPolicy: expect.stringContaining('does no delivery work'),
          principal: 'local-operator',
          mode: 'both',
        },
      },
    });
    expect(client.getInstructions()).toBe(answer.result?.['instructions']);
  });
});

describe('what a client finds', () => {
  it('SAI-23.2 is one resource, the context', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['saivage://analyst/context']);
    const { contents } = await client.readResource({ uri: 'saivage://analyst/context' });
    const [content] = contents as { uri: string; mimeType: string; text: string }[];
    expect(content).toMatchObject({ uri: 'saivage://analyst/context', mimeType: 'application/json' });
    expect(JSON.parse(content?.text ?? '')).toEqual({
      mode: 'both',
      runtime: { status: 'stopped' },
      card_types: [
        { name: 'project', work: 'planned' },
        { name: 'goal', work: 'planned' },
        ...['architecture', 'code', 'test', 'doc', 'data', 'research', 'ops'].map((name) => ({
          name,
          work: 'carried out',
        })),
      ],
      observed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
  });

  it('SAI-23.3 are exactly the selected operations, in the order of the selection', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'read',
      'get_status',
      'show_config',
      'count',
      'refuse',
      'crash',
    ]);
    const read = tools.find(({ name }) => name === 'read');
    expect(read?.inputSchema).toMatchObject({
      type: 'object',
      required: ['path'],
      additionalProperties: false,
    });
    expect(read?.outputSchema).toMatchObject({
      type: 'object',
      properties: { success: { type: 'boolean' } },
    });
  });
});

describe('tools/call', () => {
  it('SAI-23.4 SAI-16.1 answers the envelope of success', async () => {
    const result = await client.callTool({ name: 'read', arguments: { path: 'README.md' } });
    const envelope = {
      success: true,
      data: { kind: 'file', size: 7, position: 0, text: { untrusted: 'Hello.\n' } },
    };
    expect(result).toEqual({
      content: [{ type: 'text', text: JSON.stringify(envelope) }],
      structuredContent: envelope,
      isError: false,
    });
  });

  it('SAI-16.1 SAI-17.2 answers from every operation', async () => {
    const status = await client.callTool({ name: 'get_status', arguments: {} });
    expect(status.structuredContent).toEqual({
      success: true,
      data: {
        project: {
          name: expect.any(String),
          projectIdentityDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        server: { release: expect.stringMatching(/^\d+\.\d+\.\d+$/), startedAt: expect.any(String) },
        runtime: { status: 'stopped' },
        analyst: {
          mode: 'both',
          principal: 'local-operator',
          tools: ['read', 'get_status', 'show_config', 'count', 'refuse', 'crash'],
        },
        observed_at: expect.any(String),
      },
    });
    const config = await client.callTool({ name: 'show_config', arguments: {} });
    const { data } = config.structuredContent as { data: { yaml: string } };
    expect(data.yaml).toContain('analyst_agent: analyst\n');
  });

  it('SAI-23.4 SAI-16.1 answers the envelope of failure when an operation says no', async () => {
    const result = await client.callTool({ name: 'refuse', arguments: {} });
    expect(result.structuredContent).toEqual({
      success: false,
      error: { code: 'conflict', message: 'Not now.' },
    });
    expect(result.isError).toBe(true);
  });

  it('SAI-23.4 answers it for wrong arguments, before the operation runs', async () => {
    const before = server.probes.runs();
    const result = await client.callTool({ name: 'count', arguments: { more: 1 } });
    expect(result.structuredContent).toMatchObject({ success: false, error: { code: 'invalid_input' } });
    expect(result.isError).toBe(true);
    expect(server.probes.runs()).toBe(before);
  });

  it('SAI-23.4 answers it when an operation breaks, with a reference and nothing of the error', async () => {
    const result = await client.callTool({ name: 'crash', arguments: {} });
    const { error } = result.structuredContent as { error: { code: string; message: string } };
    expect(error).toEqual({
      code: 'internal',
      message: expect.stringMatching(/^Something broke on our side\. Reference: [0-9a-f-]{36}$/),
    });
    const logged = server.logged().find((line) => line.includes(error.message.slice(-36)));
    expect(logged).toContain('secret of the house');
  });

  const unknown = ['get_card', 'wait', 'READ', ''];
  it.each(unknown)('SAI-23.5 knows no other name: %j', async (name) => {
    const { status, answer } = await ask('tools/call', { name, arguments: {} });
    expect([status, answer.error?.code]).toEqual([200, -32602]);
  });
});

describe('other methods', () => {
  it('SAI-23.6 are ping, and nothing else', async () => {
    expect((await ask('ping')).answer.result).toEqual({});
    for (const method of ['prompts/list', 'tasks/get', 'server/discover', 'logging/setLevel', 'x']) {
      const { status, answer } = await ask(method, {});
      expect([method, status, answer.error?.code]).toEqual([method, 200, -32601]);
    }
  });

  it('SAI-23.6 may be notifications, which get 202 and no body', async () => {
    for (const method of ['notifications/initialized', 'notifications/cancelled', 'notifications/x']) {
      const parts = goodRequest(server, { jsonrpc: '2.0', method });
      const reply = await exchange(server.analystPort, headBytes(parts) + parts.body);
      expect([reply.status, reply.body]).toEqual([202, '']);
    }
  });

  it('SAI-23.2 know no other resource', async () => {
    const { answer } = await ask('resources/read', { uri: 'saivage://analyst/transcript' });
    expect(answer.error?.code).toBe(-32002);
  });
});

describe('the v2 client', () => {
  const negotiations = ['auto', 'legacy'] as const;
  it.each(negotiations)('SAI-28.2 connects, reads and calls (%s)', async (mode) => {
    const modern = new ClientV2(
      { name: 'local-operator', version: '1' },
      mode === 'auto' ? { versionNegotiation: { mode: 'auto' } } : {},
    );
    await modern.connect(
      new TransportV2(new URL(server.analystUrl), {
        requestInit: { headers: { Authorization: `Bearer ${analystToken}` } },
      }),
    );
    const { tools } = await modern.listTools();
    expect(tools).toHaveLength(6);
    const result = await modern.callTool({ name: 'get_status', arguments: {} });
    expect(result.structuredContent).toMatchObject({ success: true });
    await modern.close();
  });
});
