import { getRequestListener } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { HttpDefinition, StdioDefinition } from './definition.ts';
import { callOf, connected, textOf } from './testing/opened.ts';

const SCRIPT = fileURLToPath(new URL('testing/sdk-server.mjs', import.meta.url));

/** A server of the official SDK as a process. */
function onStdio(legacy: 'serve' | 'reject'): StdioDefinition {
  const room = { env: { PATH: '/usr/bin:/bin' }, cwd: tmpdir() };
  return { transport: 'stdio', command: process.execPath, args: [SCRIPT, legacy], ...room };
}

/** The same over HTTP, and the methods that it was asked for. */
async function overHttp(legacy: 'stateless' | 'reject') {
  const asked: string[] = [];
  const handler = createMcpHandler(
    ({ era }) => {
      const server = new McpServer({ name: 'official', version: '1' });
      const inputSchema = z.object({ place: z.string() });
      server.registerTool('greet', { inputSchema }, ({ place }) => ({
        content: [{ type: 'text', text: `${era}: ahoy from ${place}` }],
      }));
      return server;
    },
    { legacy },
  );
  const listener = getRequestListener(async (request) => {
    const body = await request.clone().text();
    if (body) asked.push((JSON.parse(body) as { method: string }).method);
    return handler.fetch(request);
  });
  const server = createServer((request, response) => void listener(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const definition: HttpDefinition = { transport: 'streamable-http', url };
  return { definition, asked };
}

describe('a server of the official SDK', () => {
  it('SAI-42.1 that takes only 2026-07-28 is spoken to so, over stdio in the process of the first try', async () => {
    const connection = await connected(onStdio('reject'));
    expect(connection.revision).toBe('2026-07-28');
    expect(textOf(await callOf(connection, 'greet', { place: 'Tallinn' }))).toMatch(
      /^modern: ahoy from Tallinn, process \d+$/,
    );
    expect(connection.serverInfo).toMatchObject({ name: 'official' });
    expect(await connection.close()).toEqual({ contained: true });
  });

  it('SAI-42.1 that takes only 2026-07-28 is spoken to so over HTTP', async () => {
    const { definition, asked } = await overHttp('reject');
    const connection = await connected(definition);
    expect(connection.revision).toBe('2026-07-28');
    expect(textOf(await callOf(connection, 'greet', { place: 'Tallinn' }))).toBe('modern: ahoy from Tallinn');
    expect(asked).toEqual(['initialize', 'server/discover', 'tools/list', 'tools/call']);
  });

  it('SAI-42.1 that takes both is spoken to as of 2025-11-25', async () => {
    const { definition, asked } = await overHttp('stateless');
    const [stdio, http] = [await connected(onStdio('serve')), await connected(definition)];
    expect([stdio.revision, http.revision]).toEqual(['2025-11-25', '2025-11-25']);
    expect(textOf(await callOf(stdio, 'greet', { place: 'Tallinn' }))).toMatch(/^legacy: ahoy from Tallinn/);
    expect(textOf(await callOf(http, 'greet', { place: 'Tallinn' }))).toBe('legacy: ahoy from Tallinn');
    expect(asked).not.toContain('server/discover');
  });
});
