import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment, type Server } from './servers.ts';

/** A program that holds MCP servers by name. */
export interface Holder {
  /** Connects and reads the tool list. */
  start(name: string): Promise<unknown>;
  /** Answers the text of the result. */
  call(name: string, tool: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  stop(name: string): Promise<unknown>;
  /** Stops what is left. */
  close(): Promise<unknown>;
}

type Servers = ReadonlyMap<string, Server>;

/** Both holders by the name of their variant. Each loads its library itself: none pays for the other. */
export const holders = { 'sdk2-client': official, saivage } as const;

/** The official client used directly: one `Client` a server. */
async function official(servers: Servers): Promise<Holder> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const clients = new Map<string, InstanceType<typeof Client>>();
  const transportTo = (server: Server) =>
    server.transport === 'stdio'
      ? new StdioClientTransport({
          command: server.command,
          args: [...server.args],
          env: environment,
          cwd: tmpdir(),
          stderr: 'ignore',
        })
      : new StreamableHTTPClientTransport(new URL(server.url));
  const stop = async (name: string) => {
    await clients.get(name)?.close();
    clients.delete(name);
  };
  return {
    async start(name) {
      const client = new Client({ name: 'bench', version: '1.0.0' });
      clients.set(name, client);
      await client.connect(transportTo(known(servers, name)));
      await client.listTools();
    },
    call: async (name, tool, args) =>
      textOf(await known(clients, name).callTool({ name: tool, arguments: { ...args } })),
    stop,
    close: () => Promise.all([...clients.keys()].map(stop)),
  };
}

/** The connections of a Saivage project, as its agents and its operator use them; its log goes nowhere. */
async function saivage(servers: Servers): Promise<Holder> {
  const { openConnections, projectFolder } = await import('@portolan/saivage/connections');
  const { createLog } = await import('@portolan/http');
  const root = await mkdtemp(join(tmpdir(), 'portolan-bench-'));
  const defined = [...servers].map(([name, server]) => [name, definitionOf(server)] as const);
  const connections = openConnections({
    folder: projectFolder(root),
    servers: Object.fromEntries(defined),
    environment,
    isOurs: () => false,
    log: createLog({ name: 'bench' }),
    now: () => new Date(),
  });
  const ids = new Map<string, { readonly bindingId: string; readonly catalogId: string }>();
  return {
    async start(name) {
      const { bindingId, catalogId } = await connections.start(name);
      ids.set(name, { bindingId, catalogId });
    },
    async call(serverName, toolName, args) {
      const identity = known(ids, serverName);
      return textOf(await connections.call({ serverName, toolName, args, ...identity }));
    },
    stop: (name) => connections.stop(name),
    async close() {
      await connections.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** The server as saivage.yaml would define it. */
function definitionOf(server: Server) {
  const flags = { autostart: false, disabled: false };
  if (server.transport === 'streamable-http') return { ...server, ...flags };
  return { ...server, args: [...server.args], ...flags };
}

function known<Value>(values: ReadonlyMap<string, Value>, name: string): Value {
  const value = values.get(name);
  if (value === undefined) throw new Error(`no server ${name}`);
  return value;
}

/** The first text of a result. */
export function textOf({ content }: { readonly content?: unknown }): string {
  const [block] = content as { text?: string }[];
  return block?.text ?? '';
}
