import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { anyone, toolsFor } from '../tool.ts';
import type { Resource, ResourceTemplate } from './resource.ts';
import { allRevisions, legacyRevisions, modernRevisions, type Revision } from './revisions.ts';
import { surface } from './surface.ts';
import { add, listen, mounted, type Listening } from './testkit.ts';

/** What every client does: connect, list, call, read. */
interface Peer {
  readonly version: unknown;
  readonly instructions: unknown;
  readonly tools: readonly string[];
  readonly sum: unknown;
  readonly list: unknown;
  readonly text: unknown;
  readonly bytes: unknown;
}

const info = { name: 'interop', version: '1.0.0' };

async function old(url: string): Promise<Peer> {
  const client = new OldClient(info);
  await client.connect(new OldTransport(new URL(url)));
  return exercise(client as never);
}

function modern(mode?: 'auto' | { pin: string }) {
  return async (url: string): Promise<Peer> => {
    const client = new ModernClient(info, mode && { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return exercise(client);
  };
}

async function exercise(client: ModernClient): Promise<Peer> {
  try {
    const { tools } = await client.listTools();
    const call = async (name: string, input: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: input })).structuredContent;
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
    await client.listResources();
    await client.listResourceTemplates();
    return {
      version: client.getServerVersion()?.version,
      instructions: client.getInstructions(),
      tools: tools.map(({ name }) => name),
      sum: await call('add', { a: 1, b: 2 }),
      list: await call('count_to', { n: 3 }),
      text: await read('test://greeting'),
      bytes: await read('test://bytes/7'),
    };
  } finally {
    await client.close();
  }
}

/** Its output is a list: legal in 2026-07-28, and `{result}` for the clients before. */
const countTo = toolsFor()('count_to', {
  title: 'Count',
  says: 'Counts from one.',
  access: anyone,
  effect: 'reads',
  input: z.object({ n: z.number() }),
  output: z.array(z.number()),
  example: { n: 2 },
}).run(({ n }) => Promise.resolve(Array.from({ length: n }, (_, index) => index + 1)));

const greeting: Resource = {
  uri: 'test://greeting',
  name: 'Greeting',
  mimeType: 'text/plain',
  read: () => Promise.resolve({ text: 'Tere!' }),
};
const bytes: ResourceTemplate = {
  uriTemplate: 'test://bytes/{value}',
  name: 'Bytes',
  read: ({ value }) => Promise.resolve({ bytes: Uint8Array.of(Number(value)) }),
};

const offered = surface({
  server: { name: 'test', title: 'Test', release: '1.0.0' },
  tools: [add, countTo],
  resources: [greeting],
  templates: [bytes],
  instructions: 'Add, then count.',
});

function serving(revisions: readonly Revision[]): () => string {
  let server: Listening | undefined;
  beforeAll(async () => {
    server = await listen(mounted([], { surface: () => offered, revisions }).serve);
  });
  afterAll(() => server?.close());
  return () => server?.url ?? '';
}

const everything = (list: unknown): Peer => ({
  version: offered.version,
  instructions: 'Add, then count.',
  tools: ['add', 'count_to'],
  sum: { sum: 3 },
  list,
  text: { uri: 'test://greeting', mimeType: 'text/plain', text: 'Tere!' },
  bytes: { uri: 'test://bytes/7', blob: 'Bw==' },
});
const asLegacy = everything({ result: [1, 2, 3] });
const asModern = everything([1, 2, 3]);
const pinned = modern({ pin: '2026-07-28' });

describe('a mount of both eras serves', () => {
  const url = serving(allRevisions);
  it.each([
    ['the old client', old, asLegacy],
    ['the new client as it comes', modern(), asLegacy],
    ['the new client that looks for the era', modern('auto'), asModern],
    ['the new client at 2026-07-28', pinned, asModern],
  ])('MER-7 %s', async (_client, connect, peer) => {
    expect(await connect(url())).toEqual(peer);
  });
});

describe('a mount of the legacy era serves', () => {
  const url = serving(legacyRevisions);
  it.each([
    ['the old client', old],
    ['the new client as it comes', modern()],
    ['the new client that looks for the era', modern('auto')],
  ])('%s', async (_client, connect) => {
    expect(await connect(url())).toEqual(asLegacy);
  });

  it('and refuses the new client at 2026-07-28', async () => {
    await expect(pinned(url())).rejects.toThrow();
  });
});

describe('a mount of the modern era serves', () => {
  const url = serving(modernRevisions);
  it.each([
    ['the new client that looks for the era', modern('auto')],
    ['the new client at 2026-07-28', pinned],
  ])('%s', async (_client, connect) => {
    expect(await connect(url())).toEqual(asModern);
  });

  it('and refuses the old client', async () => {
    await expect(old(url())).rejects.toThrow();
  });
});
