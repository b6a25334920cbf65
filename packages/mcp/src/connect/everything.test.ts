import { processScopes } from '@portolan/process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { Definition } from '../connect.ts';
import { callOf, connected, textOf } from './testing/opened.ts';

const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const ROOM = { cwd: tmpdir(), env: { PATH: '/usr/bin:/bin' } };

const stdio: Definition = {
  transport: 'stdio',
  command: process.execPath,
  args: [EVERYTHING, 'stdio'],
  ...ROOM,
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Runs the reference server over HTTP while `work` is done. */
async function overHttp(work: (definition: Definition) => Promise<void>): Promise<void> {
  const port = await freePort();
  const scopes = await processScopes();
  const env = { ...ROOM.env, PORT: String(port) };
  const scope = await scopes.start({
    command: process.execPath,
    args: [EVERYTHING, 'streamableHttp'],
    cwd: ROOM.cwd,
    env,
  });
  try {
    scope.stdout.resume();
    for await (const chunk of scope.stderr) if (String(chunk).includes('listening')) break;
    await work({ transport: 'streamable-http', url: new URL(`http://127.0.0.1:${port}/mcp`) });
  } finally {
    await scope.end({ grace: 0 });
  }
}

describe('the reference server', () => {
  it('is listed, called and ended over stdio', async () => {
    const roots = [{ uri: 'file:///the/project', name: 'project' }];
    const connection = await connected(stdio, { roots });
    expect(connection).toMatchObject({
      revision: '2025-11-25',
      serverInfo: { name: 'mcp-servers/everything' },
    });
    expect(connection.catalog.tools.map(({ name }) => name)).toContain('get-structured-content');
    expect(textOf(await callOf(connection, 'echo', { message: 'hello' }))).toBe('Echo: hello');
    expect(await callOf(connection, 'get-structured-content', { location: 'Chicago' })).toMatchObject({
      structuredContent: { conditions: expect.any(String), temperature: expect.any(Number) },
    });
    expect(textOf(await callOf(connection, 'get-roots-list'))).toContain('file:///the/project');
    await expect(callOf(connection, 'echo', { message: 7 })).rejects.toMatchObject({
      code: 'arguments_invalid',
      rows: ['/message must be string'],
    });
    expect(await connection.close()).toEqual({ contained: true });
  });

  it('is listed, called and left over HTTP, with its progress', async () => {
    await overHttp(async (definition) => {
      const connection = await connected(definition);
      expect(connection.catalog.tools.map(({ name }) => name)).toContain('trigger-long-running-operation');
      const seen: unknown[] = [];
      const options = { onProgress: (progress: unknown) => seen.push(progress) };
      const args = { duration: 0.2, steps: 2 };
      await callOf(connection, 'trigger-long-running-operation', args, options);
      expect(seen).toEqual([
        { progress: 1, total: 2 },
        { progress: 2, total: 2 },
      ]);
      await connection.close();
    });
  });
});
