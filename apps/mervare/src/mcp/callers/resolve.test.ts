import type { KyselyPlugin } from 'kysely';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOf } from '../../people/secret.ts';
import { readPerson } from '../../people/person.ts';
import { registerAgents } from '../../people/service-agents.ts';
import { createSession } from '../../people/session.ts';
import { issueVisitorToken } from '../../people/visitor-token.ts';
import { plantPerson, plantToken } from '../../testing/people.ts';
import { testRegister } from '../../testing/site.ts';
import type { Credential } from './caller.ts';
import { lookups } from './lookups.ts';
import { personalCallers } from './personal.ts';
import { callersAt } from './resolve.ts';
import { readStaticTokens } from './static-tokens.ts';
import { together } from './together.ts';

const audience = 'https://mervare.example/api/mcp';
const ci = 'c'.repeat(40);
const takes: Credential[] = ['oauth', 'visitor', 'builder_token', 'funding_agent'];
const door = { audience, takes, offered: [] };
const { tokens } = readStaticTokens({ BUILDER_AGENT_TOKENS: `ci:builder:${ci}` });

let register: Awaited<ReturnType<typeof testRegister>>;
let presented: Record<'oauth' | 'visitor' | 'static' | 'funding' | 'unknown', string>;
beforeAll(async () => {
  register = await testRegister();
  const { db } = register;
  const person = await plantPerson(db, { email: 'ada@mervare.example', superAdmin: true, builder: true });
  await registerAgents(db, ['ci'], Date.now());
  const whole = await readPerson(db, person);
  if (!whole) throw new Error('Nobody.');
  const session = hashOf(await createSession(db, person, Date.now()));
  presented = {
    oauth: await plantToken(db, { person, scopes: ['author'], audience }),
    visitor: await issueVisitorToken(db, { person: whole, session }, { audience, ttl: 60, now: Date.now() }),
    static: ci,
    funding: `mvf_${'x'.repeat(43)}`,
    unknown: randomUUID(),
  };
});
afterAll(() => register.close());

/** The database, and how many statements it was asked. */
function counted() {
  let statements = 0;
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const prepare: typeof register.prepare = (name, text) => {
    const ask = register.prepare<never>(name, text);
    return (values) => {
      statements += 1;
      return ask(values);
    };
  };
  const asking = lookups({ db: register.db.withPlugin(counter), prepare });
  statements = 0;
  return { lookups: asking, asked: () => statements };
}

describe('MER-11.3 who calls, with the rights of this moment', () => {
  it('MER-11.3 those who come at once are asked for together, and each is who they are', async () => {
    const { asked, ...found } = counted();
    const arrival = callersAt(door, { ...found, tokens, now: Date.now });
    const { db } = register;
    const emails = Array.from({ length: 250 }, (_, at) => `p${at}@mervare.example`);
    const held = await Promise.all(
      emails.map(async (email) =>
        plantToken(db, { person: await plantPerson(db, { email }), scopes: ['discovery'], audience }),
      ),
    );
    const strangers = Array.from({ length: 10 }, () => randomUUID());
    const callers = await Promise.all([...held, ...strangers].map((token) => arrival(token).caller));
    expect(callers.map((caller) => caller?.name)).toEqual([...emails, ...strangers.map(() => undefined)]);
    // The first at once, then lists of eight.
    expect(asked()).toBe(1 + Math.ceil(259 / 8));
  });

  for (const kind of ['oauth', 'visitor', 'static', 'funding', 'unknown'] as const)
    it(`takes one question to the database: ${kind}`, async () => {
      const { asked, ...found } = counted();
      const caller = await callersAt(door, { ...found, tokens, now: Date.now })(presented[kind]).caller;
      expect(asked()).toBe(1);
      expect(caller === undefined).toBe(kind === 'unknown' || kind === 'funding');
    });

  it('expects who was let in a moment ago, until the word of the database is another one or the credential has ended', async () => {
    const { db } = register;
    const start = Date.now();
    let now = start;
    const arrival = callersAt(door, { ...counted(), tokens, now: () => now });
    const person = await plantPerson(db, { email: 'lea@mervare.example', superAdmin: true });
    const expiresAt = new Date(start + 8_000);
    const token = await plantToken(db, { person, scopes: ['author', 'discovery'], audience, expiresAt });
    const comes = async () => {
      const { expected, caller } = arrival(token);
      const is = await caller;
      return [expected?.scopes, is?.scopes, is === expected];
    };
    const both = ['author', 'discovery'];
    expect(await comes()).toEqual([undefined, both, false]);
    now = start + 4_999;
    expect(await comes()).toEqual([both, both, true]);

    await db.updateTable('person').set({ is_super_admin: false }).where('id', '=', person).execute();
    expect(await comes()).toEqual([both, ['discovery'], false]);
    expect(await comes()).toEqual([['discovery'], ['discovery'], true]);

    now = start + 8_000;
    expect(await comes()).toEqual([undefined, undefined, true]);
  });

  it('expects nobody five seconds later, after a refusal, or at another door', async () => {
    let now = Date.now();
    const credentials = { ...counted(), tokens, now: () => now };
    const arrival = callersAt(door, credentials);
    const elsewhere = callersAt({ ...door, audience: 'https://mervare.example/elsewhere' }, credentials);
    const { oauth, unknown } = presented;
    const comes = async ({ expected, caller }: ReturnType<typeof arrival>) => [
      expected?.name,
      (await caller)?.name,
    ];
    const ada = 'ada@mervare.example';
    expect(await comes(arrival(oauth))).toEqual([undefined, ada]);
    expect(await comes(arrival(oauth))).toEqual([ada, ada]);
    now += 5_000;
    expect(await comes(arrival(oauth))).toEqual([undefined, ada]);
    for (let time = 0; time < 2; time++) {
      expect(await comes(elsewhere(oauth))).toEqual([undefined, undefined]);
      expect(await comes(arrival(unknown))).toEqual([undefined, undefined]);
    }
  });
});

it('a thousand are expected, those who came last', async () => {
  const ends = new Date(Date.now() + 600_000).toISOString();
  const find = (hash: Buffer) => {
    const held = { hash: hash.toString('hex'), ends, audience, carried: ['discovery'] };
    return Promise.resolve(JSON.stringify({ ...held, id: randomUUID(), email: 'ada@mervare.example' }));
  };
  // Nobody's moment is over before the last has come.
  const start = Date.now();
  const arrival = personalCallers('oauth', find, door, () => start);
  const hashes = Array.from({ length: 1_001 }, (_, at) => hashOf(`${at}`));
  for (const hash of hashes) await arrival(hash).caller;
  const [first, ...others] = hashes.map((hash) => arrival(hash).expected?.name);
  expect(first).toBe(undefined);
  expect(new Set(others)).toEqual(new Set(['ada@mervare.example']));
});

it('a question that hangs holds nobody up, and one that fails fails for those alone who asked it', async () => {
  const asked: string[] = [];
  const ask = together(2, (keys: readonly string[]) => {
    asked.push(keys.join());
    if (keys.includes('hangs')) return new Promise<string[]>(() => undefined);
    if (keys.includes('fails')) return Promise.reject(new Error('failed'));
    return Promise.resolve(keys.map((key) => `${key}!`));
  });
  void ask('hangs');
  const answers = ['a', 'b', 'fails', 'c', 'd'].map((key) => ask(key).catch((error: Error) => error.message));
  expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'failed', 'failed', 'd!']);
  expect(asked).toEqual(['hangs', 'a,b', 'fails,c', 'd']);
});
