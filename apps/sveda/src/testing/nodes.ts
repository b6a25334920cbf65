import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@portolan/http';
import { testDatabase } from '@portolan/store/testing';
import type { MintBody } from '@sveda-ai/protocol';
import { readSettings } from '../config/settings.ts';
import { migrations } from '../migrations.ts';
import { startServer, usualTimes, type Times } from '../server.ts';
import { HOST_KEY, post } from './sveda.ts';

export type Operator = Awaited<ReturnType<typeof testOperator>>;

/** What several nodes of one operator share: a folder with sveda.yaml, a database, and the environment that names both. */
export async function testOperator(yaml: string) {
  const folder = await mkdtemp(join(tmpdir(), 'sveda-nodes-'));
  const database = await testDatabase({ app: 'sveda', migrations });
  await writeFile(join(folder, 'sveda.yaml'), yaml);
  const environment = {
    SVEDA_CONFIG: join(folder, 'sveda.yaml'),
    SVEDA_DATA: folder,
    DATABASE_URL: database.url,
    SVEDA_APP_KEY: 'an app key of at least thirty-two characters',
    SVEDA_EMBED_HOST_API_KEY: HOST_KEY,
  };
  return {
    folder,
    database,
    environment,
    async close() {
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}

/** A sveda.yaml with this model server and nothing else. */
export function yamlFor({ baseURL }: { readonly baseURL: string }): string {
  return `models: [{ provider: openai-compatible, model: m, baseURL: '${baseURL}' }]`;
}

/** A whole server on a real port, of this operator. */
export function startNode({ environment }: Operator, times: Partial<Times> = {}) {
  const log = createLog({ name: 'sveda', level: 'fatal' });
  const address = { host: '127.0.0.1', port: 0 };
  return startServer(readSettings(environment), address, log, { ...usualTimes, ...times });
}

/** Whole servers on real ports over one database. */
export async function testNodes(yaml: string, count: number, times: Partial<Times> = {}) {
  const operator = await testOperator(yaml);
  const servers = await Promise.all(Array.from({ length: count }, () => startNode(operator, times)));
  return {
    database: operator.database,
    origins: servers.map(({ origin }) => origin),
    mint: (body: MintBody = {}) => mintAt(servers[0]?.origin ?? '', body),
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      await operator.close();
    },
  };
}

/** Headers of a visitor whose token was minted with the host key. */
export async function mintAt(origin: string, body: MintBody): Promise<Record<string, string>> {
  const minted = await post(origin, '/sveda/embed/token', body, { 'x-sveda-host-key': HOST_KEY });
  const { token } = (await minted.json()) as { token: string };
  return { 'x-sveda-embed-token': token };
}
