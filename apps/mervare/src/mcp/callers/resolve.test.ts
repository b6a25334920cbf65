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
import { resolveCaller } from './resolve.ts';
import { readStaticTokens } from './static-tokens.ts';

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
    const credentials = { ...found, tokens, now: Date.now };
    const { db } = register;
    const emails = Array.from({ length: 250 }, (_, at) => `p${at}@mervare.example`);
    const held = await Promise.all(
      emails.map(async (email) =>
        plantToken(db, { person: await plantPerson(db, { email }), scopes: ['discovery'], audience }),
      ),
    );
    const strangers = Array.from({ length: 10 }, () => randomUUID());
    const callers = await Promise.all(
      [...held, ...strangers].map((token) => resolveCaller(token, door, credentials)),
    );
    expect(callers.map((caller) => caller?.name)).toEqual([...emails, ...strangers.map(() => undefined)]);
    // The first at once, then lists of eight.
    expect(asked()).toBe(1 + Math.ceil(259 / 8));
  });

  for (const kind of ['oauth', 'visitor', 'static', 'funding', 'unknown'] as const)
    it(`takes one question to the database: ${kind}`, async () => {
      const { asked, ...found } = counted();
      const caller = await resolveCaller(presented[kind], door, { ...found, tokens, now: Date.now });
      expect(asked()).toBe(1);
      expect(caller === undefined).toBe(kind === 'unknown' || kind === 'funding');
    });
});
