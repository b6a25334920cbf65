import { tmpdir } from 'node:os';

/** A program to start as a peer: a node script and its arguments. */
export type Peer = readonly string[];

/** An open connection to a peer. */
export interface Caller {
  /** Calls a tool; answers the text of its result. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<unknown>;
}

/** One way to call an MCP server over stdio. */
export interface StdioClient {
  /** For the report. */
  readonly says: string;
  open(peer: Peer): Promise<Caller>;
}

const room = { command: process.execPath, env: { PATH: '/usr/bin:/bin' }, cwd: tmpdir() };

/** Every client by name, in the order of the report. Each loads its library itself: none pays for the other. */
export const stdioClients: Readonly<Record<string, StdioClient>> = {
  'sdk2-client': {
    says: '`Client` with `StdioClientTransport` of @modelcontextprotocol/client, as documented',
    async open(peer) {
      const { Client } = await import('@modelcontextprotocol/client');
      const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
      const client = new Client({ name: 'bench', version: '1.0.0' });
      await client.connect(new StdioClientTransport({ ...room, args: [...peer], stderr: 'ignore' }));
      await client.listTools();
      return {
        call: async (name, args) => textOf(await client.callTool({ name, arguments: { ...args } })),
        close: () => client.close(),
      };
    },
  },
  connect: {
    says: 'ours: `connect` of @portolan/mcp: contained process, checked arguments, one call at a time',
    async open(peer) {
      const { connect } = await import('@portolan/mcp/connect');
      const connection = await connect({ transport: 'stdio', ...room, args: peer }, { budget: 60_000 });
      return {
        async call(name, args) {
          const tool = connection.catalog.tool(name);
          if (!tool) throw new Error(`no tool ${name}`);
          return textOf(await connection.call(tool, args));
        },
        close: () => connection.close(),
      };
    },
  },
};

function textOf({ content }: { readonly content?: unknown }): string {
  const [block] = content as { text?: string }[];
  return block?.text ?? '';
}
