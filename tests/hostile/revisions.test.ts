import { getRequestListener } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { createLog } from '@portolan/http';
import { openConnections, projectFolder } from '@portolan/saivage/connections';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

const HOUR = 3_600_000;
let root: string;
let server: Server;
let port: number;
/** The methods that the server was asked for. */
let asked: string[];

/** A server of the official SDK that speaks 2026-07-28 and nothing else. */
beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'portolan-revisions-')));
  asked = [];
  const handler = createMcpHandler(
    () => {
      const mcp = new McpServer({ name: 'newest', version: '1' });
      mcp.registerTool('ping', { inputSchema: z.object({}) }, () => ({
        content: [{ type: 'text', text: 'pong' }],
      }));
      return mcp;
    },
    { legacy: 'reject' },
  );
  const listener = getRequestListener(async (request) => {
    const body = await request.clone().text();
    asked.push((JSON.parse(body) as { method: string }).method);
    return handler.fetch(request);
  });
  server = createServer((request, response) => void listener(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(root, { recursive: true, force: true });
});

function connectionsTo(isOurs: (address: string, port: number) => boolean = () => false, host = 'localhost') {
  const clock = { at: Date.UTC(2026, 10, 30) };
  const url = `http://${host}:${port}/mcp`;
  const connections = openConnections({
    folder: projectFolder(root),
    servers: { newest: { transport: 'streamable-http', url, autostart: false, disabled: false } },
    environment: {},
    isOurs,
    log: createLog({ name: 'test', destination: { write: () => undefined } }),
    now: () => new Date(clock.at),
  });
  return { connections, clock };
}

describe('the revision of a server', () => {
  it('SAI-42.4 is remembered with its date, and asked anew after a day', async () => {
    const { connections, clock } = connectionsTo();
    const methods = async () => {
      asked = [];
      await connections.restart('newest');
      return asked;
    };
    await connections.start('newest');
    expect(connections.view('newest')).toMatchObject({ status: 'running', revision: '2026-07-28' });
    expect(asked).toEqual(['initialize', 'server/discover', 'tools/list']);
    clock.at += 23 * HOUR;
    expect(await methods()).toEqual(['server/discover', 'tools/list']);
    clock.at += 2 * HOUR;
    expect(await methods()).toEqual(['initialize', 'server/discover', 'tools/list']);
    // The new answer counts for a day of its own.
    clock.at += 2 * HOUR;
    expect(await methods()).toEqual(['server/discover', 'tools/list']);
    await connections.close();
  });

  it('SAI-42.4 is remembered over a restart of Saivage, while the server is defined the same', async () => {
    const first = connectionsTo();
    await first.connections.start('newest');
    await first.connections.close();
    asked = [];
    const second = connectionsTo();
    await second.connections.start('newest');
    expect(asked).toEqual(['server/discover', 'tools/list']);
    await second.connections.close();

    const elsewhere = connectionsTo(undefined, '127.0.0.1');
    asked = [];
    await elsewhere.connections.start('newest');
    expect(asked).toEqual(['initialize', 'server/discover', 'tools/list']);
    await elsewhere.connections.close();
  });

  it('SAI-42.2 does not matter where the address is a listener of our own: nothing is sent', async () => {
    const { connections } = connectionsTo((address, at) => address === '127.0.0.1' && at === port);
    await expect(connections.start('newest')).rejects.toMatchObject({ code: 'unreachable', effects: 'none' });
    expect(connections.view('newest')).toMatchObject({ status: 'error' });
    expect(asked).toEqual([]);
    await connections.close();
  });
});
