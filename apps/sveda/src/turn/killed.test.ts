import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLog } from '@portolan/http';
import { startModelServer } from '@portolan/agent/testing';
import { testDatabase } from '@portolan/store/testing';
import { SvedaEvent } from '@sveda-ai/protocol';
import { createGrammar } from '@sveda-ai/protocol/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../config/settings.ts';
import { migrations } from '../migrations.ts';
import { startServer } from '../server.ts';
import { testRows } from '../testing/rows.ts';
import { HOST_KEY, post, readEvents } from '../testing/sveda.ts';

let folder: string;
let database: Awaited<ReturnType<typeof testDatabase>>;
let model: Awaited<ReturnType<typeof startModelServer>>;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sveda-killed-'));
  database = await testDatabase({ app: 'sveda', migrations });
  model = await startModelServer([
    { text: 'The first half of it, ', fault: 'stall' },
    { text: 'and the second.' },
  ]);
  const yaml = `models: [{ provider: openai-compatible, model: m, baseURL: '${model.baseURL}' }]`;
  await writeFile(join(folder, 'sveda.yaml'), yaml);
  environment = {
    SVEDA_CONFIG: join(folder, 'sveda.yaml'),
    SVEDA_DATA: folder,
    DATABASE_URL: database.url,
    SVEDA_APP_KEY: 'an app key of at least thirty-two characters',
    SVEDA_EMBED_HOST_API_KEY: HOST_KEY,
  };
});
afterAll(async () => {
  await model.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** The real program, ready. */
async function startProgram() {
  const bin = fileURLToPath(new URL('../../bin/sveda.mjs', import.meta.url));
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0'], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout) if (String(chunk).includes('"ready"')) break;
  const { origin } = JSON.parse(await readFile(join(folder, 'endpoint.json'), 'utf8')) as { origin: string };
  return { child, origin };
}

/** Reads a stream until its text contains `wanted`, then stops reading. */
async function readUntil(response: Response, wanted: string): Promise<SvedaEvent[]> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = '';
  while (!text.includes(wanted)) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) throw new Error(`The stream ended: ${text}`);
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  const blocks = text
    .split('\n\n')
    .slice(0, -1)
    .filter((block) => block.startsWith('id:'));
  return blocks.map((block) => SvedaEvent.parse(JSON.parse(block.slice(block.indexOf('data: ') + 6))));
}

describe('a node that is killed in the middle of a turn', () => {
  it('SVE-34.1 has kept everything that the browser had seen, and another node goes on', async () => {
    const { child, origin } = await startProgram();
    const minted = await post(
      origin,
      '/sveda/embed/token',
      { visitor_id: 'v' },
      { 'x-sveda-host-key': HOST_KEY },
    );
    const { token } = (await minted.json()) as { token: string };
    const headers = { 'x-sveda-embed-token': token };
    const seen = await readUntil(
      await post(origin, '/sveda/stream', { message: { text: 'Tell' } }, headers),
      'first half',
    );
    child.kill('SIGKILL');
    await once(child, 'exit');

    const other = await startServer(
      readSettings(environment),
      { host: '127.0.0.1', port: 0 },
      createLog({ name: 'sveda', level: 'fatal' }),
    );
    const [{ chatId, turnId } = { chatId: '', turnId: '' }] = seen;
    const events = async () =>
      readEvents(
        await (
          await fetch(new URL(`/sveda/chats/${chatId}/turns/${turnId}/events`, other.origin), { headers })
        ).text(),
      );
    const again = await post(other.origin, '/sveda/stream', { chatId, continue: true }, headers);
    expect([again.status, ((await again.json()) as { error: string }).error]).toEqual([
      409,
      'turn_in_progress',
    ]);

    // The time of the lease goes by.
    await testRows(database.url, "update sveda.turn set lease_until = now() - interval '1 second'");
    const broken = await events();
    expect(broken.slice(0, seen.length)).toEqual(seen);
    expect(broken.slice(-2)).toMatchObject([
      { type: 'error', code: 'interrupted' },
      { finishReason: 'error' },
    ]);
    const continued = readEvents(
      await (await post(other.origin, '/sveda/stream', { chatId, continue: true }, headers)).text(),
    );
    expect(continued.at(-1)).toMatchObject({ finishReason: 'stop' });
    const grammar = createGrammar();
    for (const event of broken) grammar.take(event);
    grammar.done();
    for (const event of continued) grammar.take(event);
    expect(model.requests).toHaveLength(2);
    await other.close();
  });
});
