import * as v2 from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { RememberedOauth } from '../../apps/mervare/src/testing/oauth-client.ts';
import type { Client, Got, Occasion } from './client.ts';

const info = { name: 'a client', version: '1.0.0' };

/** The client of SDK v1; with the address of its metadata document where it has one. */
export function sdk1(document?: string): Client {
  return {
    name: `SDK v1${document ? ', with a document' : ''}`,
    from: '@modelcontextprotocol/sdk',
    async use(occasion) {
      const memory = new RememberedOauth('SDK v1', document);
      const open = () => new V1Transport(new URL(occasion.endpoint), { authProvider: memory });
      const first = open();
      const connected = await letIn(memory, occasion, {
        connect: (again) => connect1(again ? open() : first),
        finish: (callback) => first.finishAuth(callback.searchParams.get('code') ?? ''),
      });
      return gotBy(connected, occasion);
    },
  };
}

/** The client of SDK v2 in one of its negotiations. */
export function sdk2(negotiation: string, mode?: v2.VersionNegotiationMode, document?: string): Client {
  return {
    name: `SDK v2, ${negotiation}${document ? ', with a document' : ''}`,
    from: '@modelcontextprotocol/client',
    async use(occasion) {
      const memory = new RememberedOauth('SDK v2', document);
      const open = () =>
        new v2.StreamableHTTPClientTransport(new URL(occasion.endpoint), { authProvider: memory });
      const first = open();
      const connected = await letIn(memory, occasion, {
        connect: (again) => connect2(again ? open() : first, mode),
        finish: (callback) => first.finishAuth(callback.searchParams),
      });
      return gotBy(connected, occasion);
    },
  };
}

/** What both official clients can do. */
type Connected = Pick<v2.Client, 'listTools' | 'callTool' | 'close'>;

async function connect1(transport: V1Transport): Promise<Connected> {
  const client = new V1Client(info);
  await client.connect(transport);
  return client as never;
}

async function connect2(transport: v2.StreamableHTTPClientTransport, mode?: v2.VersionNegotiationMode) {
  const client = new v2.Client(info, mode && { versionNegotiation: { mode } });
  await client.connect(transport);
  return client as Connected;
}

interface Steps {
  readonly connect: (again: boolean) => Promise<Connected>;
  readonly finish: (callback: URL) => Promise<void>;
}

/** Connects; where that leads to a sign-in, the person does it and the client begins anew. */
async function letIn(memory: RememberedOauth, { person }: Occasion, { connect, finish }: Steps) {
  try {
    return await connect(false);
  } catch (error) {
    if (!memory.asked) throw error;
    await finish(await person.approve(memory.asked));
    return connect(true);
  }
}

/** Lists and calls with a connected client, and closes it. */
export async function gotBy(client: Connected, { tool, input }: Occasion): Promise<Got> {
  try {
    const { tools } = await client.listTools();
    const { structuredContent } = await client.callTool({ name: tool, arguments: { ...input } });
    return { listed: tools.map(({ name }) => name), answered: structuredContent };
  } finally {
    await client.close();
  }
}
