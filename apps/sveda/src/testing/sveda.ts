import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createLog } from '@portolan/http';
import { testDatabase } from '@portolan/store/testing';
import {
  SvedaEvent,
  type ChatDetail,
  type ChatPage,
  type ErrorBody,
  type MintBody,
  type StreamRequest,
} from '@sveda-ai/protocol';
import { createGrammar } from '@sveda-ai/protocol/testing';
import type { Configuration } from '../config/schema.ts';
import { readSettings } from '../config/settings.ts';
import { migrations } from '../migrations.ts';
import { startServer, usualTimes, type Times } from '../server.ts';

export const HOST_KEY = 'host-key-of-the-tests';
export const ADMIN_KEY = 'admin-key-of-the-tests';

/** A whole server on a real port over a real database, with a scripted model. `yaml` is appended to sveda.yaml. */
export async function testSveda(
  script: string,
  {
    yaml = '',
    hostKey = HOST_KEY,
    adminKey = ADMIN_KEY,
    limits = {},
    models,
    environment = {},
    times = {},
  }: {
    yaml?: string;
    hostKey?: string | null;
    adminKey?: string | null;
    limits?: Partial<Configuration['limits']>;
    /** Models in place of the scripted one, as sveda.yaml has them. */
    models?: readonly object[];
    /** Variables beside those that the server needs. */
    environment?: Readonly<Record<string, string>>;
    times?: Partial<Times>;
  } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'sveda-test-'));
  const database = await testDatabase({ app: 'sveda', migrations });
  await writeFile(join(folder, 'script.yaml'), script);
  await writeFile(
    join(folder, 'sveda.yaml'),
    `models: ${JSON.stringify(models ?? [{ provider: 'scripted', script: join(folder, 'script.yaml') }])}\nlimits: ${JSON.stringify({ mintsPerMinute: 1000, postsPerMinute: 1000, ...limits })}\n${yaml}`,
  );
  const logged: string[] = [];
  const destination = new Writable({
    write(line: Buffer, _encoding, done) {
      logged.push(line.toString());
      done();
    },
  });
  const settings = readSettings({
    ...environment,
    SVEDA_CONFIG: join(folder, 'sveda.yaml'),
    SVEDA_DATA: folder,
    DATABASE_URL: database.url,
    SVEDA_APP_KEY: 'an app key of at least thirty-two characters',
    ...(hostKey !== null && { SVEDA_EMBED_HOST_API_KEY: hostKey }),
    ...(adminKey !== null && { SVEDA_ADMIN_KEY: adminKey }),
  });
  const server = await startServer(
    settings,
    { host: '127.0.0.1', port: 0 },
    createLog({ name: 'sveda', destination }),
    { ...usualTimes, ...times },
  );
  return {
    ...server,
    database,
    logged,
    hostKey: HOST_KEY,
    configFile: join(folder, 'sveda.yaml'),
    /** Mints a token with the host key. */
    async mint(body: MintBody = {}): Promise<string> {
      const { token } = (await (
        await post(server.origin, '/sveda/embed/token', body, { 'x-sveda-host-key': HOST_KEY })
      ).json()) as { token: string };
      return token;
    },
    async close() {
      await server.close();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Posts JSON. */
export function post(
  origin: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(new URL(path, origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Status and code of a refusal. */
export async function refusalOf(response: Response): Promise<[number, string]> {
  return [response.status, ((await response.json()) as ErrorBody).error];
}

/** A visitor who speaks the wire by hand: every stream is held to the schemas and, turn by turn, to the grammar. */
export function rawVisitor(origin: string, token: string) {
  const grammars = new Map<string, ReturnType<typeof createGrammar>>();
  const headers = { 'x-sveda-embed-token': token };
  const read = async (path: string): Promise<unknown> =>
    (await fetch(new URL(path, origin), { headers })).json();
  const chat = async (chatId: string | undefined) => (await read(`/sveda/chats/${chatId}`)) as ChatDetail;
  return {
    headers,
    /** A chat as it is stored. */
    chat,
    /** The last turn of the chat that changed last. */
    async lastTurn() {
      const { chats } = (await read('/sveda/chats')) as ChatPage;
      const { chatId, turns } = await chat(chats[0]?.chatId);
      return { chatId, turnId: turns.at(-1)?.turnId };
    },
    stop: ({ chatId, turnId }: { readonly chatId: string; readonly turnId: string | undefined }) =>
      post(origin, `/sveda/chats/${chatId}/turns/${turnId}/stop`, {}, headers),
    async stream(body: Partial<StreamRequest>): Promise<SvedaEvent[]> {
      const response = await post(origin, '/sveda/stream', body, headers);
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      const events = readEvents(await response.text());
      for (const event of events) {
        const grammar = grammars.get(event.turnId) ?? createGrammar();
        grammars.set(event.turnId, grammar);
        grammar.take(event);
      }
      grammars.get(events[0]?.turnId ?? '')?.done();
      return events;
    },
    post: (body: unknown) => post(origin, '/sveda/stream', body, headers),
  };
}

/** The events of a whole stream. Demands its `[DONE]` and an SSE id equal to the event's. */
export function readEvents(text: string): SvedaEvent[] {
  const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'));
  if (blocks.pop() !== 'data: [DONE]') throw new Error('The stream has no [DONE].');
  return blocks.map((block) => {
    const [id = '', data = ''] = block.split('\n');
    const event = SvedaEvent.parse(JSON.parse(data.slice('data: '.length)));
    if (id !== `id: ${event.id}`) throw new Error(`SSE ${id} is not event ${event.id}`);
    return event;
  });
}
