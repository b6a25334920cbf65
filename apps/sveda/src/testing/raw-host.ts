import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A tool of the host, and what it does with a call: `undefined` never answers. */
export interface RawTool {
  readonly confirmation?: 'required';
  run(input: Record<string, unknown>): string | undefined | Promise<string>;
}

/** One tools/call as it came over the wire. */
export interface RawCall {
  readonly name: string;
  readonly input: Record<string, unknown>;
  /** Resolves when its request is over, with true when we had answered. */
  readonly closed: Promise<boolean>;
}

interface Rpc {
  readonly id?: number;
  readonly method: string;
  readonly params?: { name?: string; arguments?: Record<string, unknown>; requestId?: number };
}

/** A host's MCP server written down to the wire, so that a test sees each request, its end and each notification. */
export async function rawHost(tools: Readonly<Record<string, RawTool>>) {
  const calls: RawCall[] = [];
  const ids: (number | undefined)[] = [];
  const cancelled: string[] = [];
  const waiting = new Set<() => void>();
  const changed = (): void => {
    for (const look of waiting) look();
  };

  async function call({ id, params = {} }: Rpc, outgoing: ServerResponse): Promise<void> {
    const { name = '', arguments: input = {} } = params;
    const closed = once(outgoing, 'close').then(() => outgoing.writableFinished);
    calls.push({ name, input, closed });
    ids.push(id);
    changed();
    const answer = await tools[name]?.run(input);
    if (answer === undefined) return;
    reply(outgoing, id, { content: [{ type: 'text', text: answer }] });
  }

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (incoming.method !== 'POST') return void outgoing.writeHead(405).end();
    const rpc = (await json(incoming)) as Rpc;
    if (rpc.method === 'tools/call') return call(rpc, outgoing);
    if (rpc.method === 'initialize') return reply(outgoing, rpc.id, handshake);
    if (rpc.method === 'tools/list')
      return reply(outgoing, rpc.id, { tools: Object.entries(tools).map(listed) });
    if (rpc.method === 'notifications/cancelled')
      cancelled.push(calls[ids.indexOf(rpc.params?.requestId)]?.name ?? 'unknown');
    changed();
    outgoing.writeHead(202).end();
  }

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls,
    /** Names of the calls that notifications/cancelled was sent for. */
    cancelled,
    /** Resolves as soon as `holds` does: asked again after every call and notification. */
    async until(holds: () => boolean): Promise<void> {
      await new Promise<void>((resolve) => {
        const look = (): void => {
          if (!holds()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    },
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

const handshake = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'host', version: '1.0.0' },
};

function listed([name, { confirmation }]: [string, RawTool]) {
  return {
    name,
    description: name,
    inputSchema: { type: 'object' },
    ...(confirmation && { _meta: { confirmation } }),
  };
}

function reply(outgoing: ServerResponse, id: number | undefined, result: object): void {
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
