import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, post, rawVisitor, testSveda } from '../testing/sveda.ts';

let sveda: Awaited<ReturnType<typeof testSveda>>;
const admin = { 'x-sveda-admin-key': ADMIN_KEY };

beforeAll(async () => {
  sveda = await testSveda('- { text: Hello. }\n- { text: Hello again. }', {
    yaml: 'policies: { guest: { client: { allow: ["*"] } } }\n',
  });
});
afterAll(() => sveda.close());

const get = (path: string, headers: Record<string, string> = admin) =>
  fetch(new URL(path, sveda.origin), { headers });

describe('admin routes', () => {
  it('SVE-30.3 are for the admin key alone, and absent without one', async () => {
    const paths = [
      '/sveda/admin/usage',
      `/sveda/admin/turns/${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}/tools`,
    ];
    for (const path of paths) {
      expect((await get(path, {})).status).toBe(401);
      expect((await get(path, { 'x-sveda-admin-key': `${ADMIN_KEY}x` })).status).toBe(401);
      expect((await get(path, { 'x-sveda-host-key': ADMIN_KEY })).status).toBe(401);
    }
    const without = await testSveda('- { text: Hello. }', { adminKey: null });
    const answers = await Promise.all([
      fetch(new URL('/sveda/admin/usage', without.origin), { headers: admin }),
      post(without.origin, '/sveda/admin/reload', {}, admin),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    await without.close();
  });

  it('SVE-30.3 answer few guesses of the key, and the key itself all the while', async () => {
    const guessed = await testSveda('- { text: Hello. }');
    const ask = async (key: string) =>
      (await fetch(new URL('/sveda/admin/usage', guessed.origin), { headers: { 'x-sveda-admin-key': key } }))
        .status;
    for (let guess = 0; guess < 20; guess += 1) expect(await ask(`guess ${guess}`)).toBe(401);
    expect([await ask('guess 20'), await ask(ADMIN_KEY)]).toEqual([429, 200]);
    await guessed.close();
  });

  it('SVE-30.3 tell what turns have cost, by day and policy, also of erased chats', async () => {
    const begun = new Date().toISOString().slice(0, 10);
    for (const body of [{}, { policy: 'guest' }]) {
      const visitor = rawVisitor(sveda.origin, await sveda.mint(body));
      await visitor.stream({ message: { text: 'hi' } });
      await fetch(new URL('/sveda/chats', sveda.origin), { method: 'DELETE', headers: visitor.headers });
    }
    const { to, days } = (await (await get('/sveda/admin/usage')).json()) as {
      to: string;
      days: {
        day: string;
        policy: string | null;
        segments: number;
        inputTokens: number;
        outputTokens: number;
      }[];
    };
    // By day first, and midnight may have come in between.
    expect(new Set(days.map(({ policy }) => policy))).toEqual(new Set(['guest', null]));
    for (const { day, policy: _, ...counted } of days) {
      expect([begun, to]).toContain(day);
      expect(counted).toEqual({
        segments: 1,
        inputTokens: expect.any(Number),
        outputTokens: expect.any(Number),
      });
    }
    expect(days).toHaveLength(2);
    expect((await get('/sveda/admin/usage?from=2026-01-01&to=2026-12-31')).status).toBe(422);
    expect((await get('/sveda/admin/usage?from=yesterday')).status).toBe(422);
  });

  it('SVE-30.3 tell which tools a turn was offered', async () => {
    const visitor = rawVisitor(sveda.origin, await sveda.mint());
    const clientTools = [
      { name: 'get_selection', description: 'The selection', parameters: { type: 'object' } },
    ];
    const [start] = await visitor.stream({ message: { text: 'hi' }, clientTools });
    const answer = await (await get(`/sveda/admin/turns/${start?.turnId}/tools`)).json();
    expect(answer).toMatchObject({ turnId: start?.turnId, tools: { offered: [{ name: 'get_selection' }] } });
  });

  it('SVE-32.2 reload sveda.yaml whole, or keep the old one and say why', async () => {
    const mint = (policy: string) =>
      post(sveda.origin, '/sveda/embed/token', { policy }, { 'x-sveda-host-key': sveda.hostKey });
    const before = await readFile(sveda.configFile, 'utf8');
    expect((await mint('member')).status).toBe(422);

    await writeFile(sveda.configFile, `${before.replace('guest', 'member')}cors: { origin: [] }\n`);
    const refused = await post(sveda.origin, '/sveda/admin/reload', {}, admin);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      error: 'invalid_request',
      message: expect.stringContaining('origin'),
    });
    expect([(await mint('member')).status, (await mint('guest')).status]).toEqual([422, 200]);

    const size = async () => {
      const events = await rawVisitor(sveda.origin, await sveda.mint()).stream({ message: { text: 'hi' } });
      return events.find((event) => event.type === 'context.usage')?.maxTokens;
    };
    expect(await size()).toBe(128_000);
    await writeFile(sveda.configFile, `${before.replace('guest', 'member')}contextTokens: 9000\n`);
    expect(await (await post(sveda.origin, '/sveda/admin/reload', {}, admin)).json()).toEqual({
      reloaded: true,
    });
    expect([(await mint('member')).status, (await mint('guest')).status]).toEqual([200, 422]);
    expect(await size()).toBe(9_000);
  });
});
