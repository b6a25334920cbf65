import { holders } from './holders.ts';
import { closedWith, type EchoCaller } from './program.ts';
import { throughGateway, throughGatewayToHttp, throughHub, throughMcpProxy } from './proxies.ts';
import { onStdio, overHttp, type Server } from './servers.ts';

/** The transports of the server that is called. */
export const transports = ['stdio', 'http'] as const;
export type TransportName = (typeof transports)[number];

/** One way to call a server; undefined for a transport that it cannot reach. */
export interface Way {
  /** For the report. */
  readonly says: string;
  readonly stdio?: (server: Server & { readonly transport: 'stdio' }) => Promise<EchoCaller>;
  readonly http?: (server: Server & { readonly transport: 'streamable-http' }) => Promise<EchoCaller>;
}

const held = (name: keyof typeof holders) => async (server: Server) => {
  const holder = await holders[name](new Map([['peer', server]]));
  await holder.start('peer');
  return { echo: (message: string) => holder.call('peer', 'echo', { message }), close: () => holder.close() };
};

/** Every way by name, in the order of the report. */
export const ways: Readonly<Record<string, Way>> = {
  'sdk2-client': {
    says: '`Client` of @modelcontextprotocol/client with the server itself',
    stdio: held('sdk2-client'),
    http: held('sdk2-client'),
  },
  saivage: {
    says: 'ours: the connections of Saivage: contained process, checked arguments and identities, one call at a time on stdio, a log line a call',
    stdio: held('saivage'),
    http: held('saivage'),
  },
  'mcp-hub': {
    says: 'the same client with the endpoint of mcp-hub (SSE), the server in its configuration',
    stdio: throughHub,
    http: throughHub,
  },
  'mcp-proxy': {
    says: 'the same client with mcp-proxy over Streamable HTTP; it reaches processes only',
    stdio: throughMcpProxy,
  },
  supergateway: {
    says: 'the same client with supergateway: over Streamable HTTP (`--stateful`) before a process, as a process before a server over HTTP',
    stdio: throughGateway,
    http: throughGatewayToHttp,
  },
};

/** Opens a way to the server `everything` over a transport. */
export async function openWay(name: string, over: TransportName): Promise<EchoCaller> {
  const way = ways[name];
  if (over === 'stdio' && way?.stdio) return way.stdio(onStdio('everything'));
  if (over !== 'http' || !way?.http) throw new Error(`${name} does not reach a server over ${over}`);
  const peer = await overHttp();
  try {
    return closedWith(await way.http(peer.server), () => peer.end());
  } catch (error) {
    await peer.end();
    throw error;
  }
}
