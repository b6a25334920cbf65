import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { called, listedTools, rpc } from '../testing/rpc.ts';
import { plantPerson, plantToken } from '../testing/people.ts';
import { testSite } from '../testing/site.ts';
import { issueVisitorToken } from '../people/visitor-token.ts';
import { readPerson } from '../people/person.ts';
import { hashOf } from '../people/secret.ts';
import { createSession } from '../people/session.ts';
import { addressOf } from './registry.ts';
import { builderOnly, discovery, servers, wide } from './servers.ts';
import type { Scope } from './vocabulary.ts';

const secret = () => randomBytes(32).toString('base64url');
const [surveys, readers, controls, builders] = [secret(), secret(), secret(), secret()];
const every: readonly Scope[] = [
  'author',
  'publisher',
  'analyst',
  'reader',
  'harbour',
  'builder',
  'discovery',
  'control',
  'funding',
];

let site: Awaited<ReturnType<typeof testSite>>;
let tokens: Record<string, string>;
let people: Record<'admin' | 'builder' | 'collaborator' | 'member', string>;
let at: Record<'wide' | 'open' | 'builder', string>;

beforeAll(async () => {
  site = await testSite(servers, {
    SURVEY_AGENT_TOKENS: `digest:author+publisher:${surveys},reports:reader+harbour:${readers}`,
    AGENT_CONTROL_TOKENS: `planner:control:${controls}`,
    BUILDER_AGENT_TOKENS: `ci:builder:${builders}`,
  });
  const { db } = site.register;
  at = {
    wide: addressOf(wide, site.origin),
    open: addressOf(discovery, site.origin),
    builder: addressOf(builderOnly, site.origin),
  };
  people = {
    admin: await plantPerson(db, { email: 'admin@mervare.example', superAdmin: true, builder: true }),
    builder: await plantPerson(db, { email: 'builder@mervare.example', builder: true }),
    collaborator: await plantPerson(db, { email: 'cleo@partner.example' }),
    member: await plantPerson(db, { email: 'member@mervare.example' }),
  };
  const connected = (person: string, scopes: readonly Scope[], audience = at.wide) =>
    plantToken(db, { person, scopes, audience });
  const past = new Date(Date.now() - 1000);
  const superAdmin = await connected(people.admin, every);
  const funding = await fundingCredentials(superAdmin);
  tokens = {
    ...funding,
    'a super admin’s connection': superAdmin,
    'a collaborating person’s connection': await connected(people.collaborator, every),
    'a collaborating person’s connection with discovery': await connected(people.collaborator, ['discovery']),
    'a super admin’s connection with discovery': await connected(people.admin, ['discovery']),
    'a builder’s connection': await connected(people.builder, ['builder', 'discovery']),
    'a builder’s connection with discovery': await connected(people.builder, ['discovery']),
    'a member’s connection': await connected(people.member, ['discovery']),
    'a member’s connection that carries everything': await connected(people.member, every),
    'a builder’s connection to the builder': await connected(people.builder, ['builder'], at.builder),
    'a member’s connection to the builder': await connected(people.member, ['discovery'], at.builder),
    'a survey token': surveys,
    'a reading survey token': readers,
    'a control token': controls,
    'a builder token': builders,
    'a super admin’s chat': await chatOf(people.admin),
    'a member’s chat': await chatOf(people.member),
    'a token that nobody issued': secret(),
    'an expired connection': await plantToken(db, {
      person: people.admin,
      scopes: every,
      audience: at.wide,
      expiresAt: past,
    }),
    'a revoked connection': await plantToken(db, {
      person: people.admin,
      scopes: every,
      audience: at.wide,
      revokedAt: past,
    }),
  };
});
afterAll(() => site.close());

/** One credential of each role in one workspace, and a person with a grant, made as a super admin makes them. */
async function fundingCredentials(token: string): Promise<Record<string, string>> {
  const ask = async (name: string, input: Record<string, unknown>) => {
    const { text: said } = await called(at.wide, token, name, input);
    return (JSON.parse(said) as { result: { structuredContent: Record<string, string> } }).result
      .structuredContent;
  };
  const { id } = await ask('funding_workspace_create', { name: 'Shore power', purpose: 'Cleaner harbours' });
  const grant = async (role: string, more: object = {}) =>
    (await ask('funding_collaborator_grant_create', { workspaceId: id, role, name: `the-${role}`, ...more }))[
      'secret'
    ] ?? '';
  await grant('collaborator', { name: 'cleo', email: 'cleo@partner.example' });
  return {
    'a funding collaborator': await grant('collaborator'),
    'a funding agent': await grant('agent'),
    'a funding service': await grant('service'),
  };
}

async function chatOf(id: string): Promise<string> {
  const { db } = site.register;
  const person = await readPerson(db, id);
  if (!person) throw new Error('Nobody.');
  const session = hashOf(await createSession(db, id, Date.now()));
  return issueVisitorToken(db, { person, session }, { audience: at.wide, ttl: 3600, now: Date.now() });
}

/** The column of the table that a tool belongs to. */
function columnOf(name: string): string {
  return /^agent_handoff_(claim|complete)$/.test(name) ? 'handoff' : (name.split('_')[0] ?? '');
}

/** What tells of the caller has its own tests. */
function isNoCapability(name: string): boolean {
  return name !== 'survey_capabilities';
}

/** The first tool of each column, with its example. */
const samples = new Map(
  wide.families
    .flatMap((family) => family.tools)
    .filter(({ name }) => isNoCapability(name))
    .toReversed()
    .map(({ name, example }) => [columnOf(name), { name, input: example as Record<string, unknown> }]),
);

interface Row {
  readonly who: string;
  /** Columns that are listed and answer; `refused` where the credential is. */
  readonly wide: string;
  readonly builder: string;
  /** Columns whose tools answer with a step-up at the wide door. */
  readonly stepUp?: string;
}

/** Who reaches what. */
const table: readonly Row[] = [
  {
    who: 'a super admin’s connection',
    wide: 'survey logbook harbour builder agent handoff funding',
    builder: 'refused',
  },
  {
    who: 'a super admin’s connection with discovery',
    wide: 'harbour',
    builder: 'refused',
    stepUp: 'survey logbook builder agent handoff funding',
  },
  { who: 'a builder’s connection', wide: 'harbour builder handoff', builder: 'refused' },
  {
    who: 'a builder’s connection with discovery',
    wide: 'harbour',
    builder: 'refused',
    stepUp: 'builder handoff',
  },
  { who: 'a member’s connection', wide: 'harbour', builder: 'refused' },
  { who: 'a member’s connection that carries everything', wide: 'harbour', builder: 'refused' },
  { who: 'a builder’s connection to the builder', wide: 'refused', builder: 'builder' },
  { who: 'a member’s connection to the builder', wide: 'refused', builder: '' },
  { who: 'a survey token', wide: 'survey harbour', builder: 'refused' },
  { who: 'a reading survey token', wide: 'survey logbook harbour', builder: 'refused' },
  { who: 'a control token', wide: 'harbour agent handoff', builder: 'refused' },
  { who: 'a builder token', wide: 'harbour builder handoff', builder: 'builder' },
  { who: 'a funding collaborator', wide: 'harbour funding', builder: 'refused' },
  { who: 'a funding agent', wide: 'harbour funding', builder: 'refused' },
  { who: 'a funding service', wide: 'harbour funding', builder: 'refused' },
  { who: 'a collaborating person’s connection', wide: 'harbour funding', builder: 'refused' },
  {
    who: 'a collaborating person’s connection with discovery',
    wide: 'harbour',
    builder: 'refused',
    stepUp: 'funding',
  },
  { who: 'a super admin’s chat', wide: 'survey logbook harbour', builder: 'refused' },
  { who: 'a member’s chat', wide: 'harbour', builder: 'refused' },
  { who: 'a token that nobody issued', wide: 'refused', builder: 'refused' },
  { who: 'an expired connection', wide: 'refused', builder: 'refused' },
  { who: 'a revoked connection', wide: 'refused', builder: 'refused' },
];

it('MER-11.1 every column of the table has a tool that is built', () => {
  const columns = ['survey', 'logbook', 'harbour', 'builder', 'agent', 'handoff', 'funding'];
  expect([...samples.keys()].toSorted()).toEqual(columns.toSorted());
});

describe('MER-11.1 MER-10 MER-4.3 the table of who reaches what', () => {
  for (const { who, ...row } of table) {
    describe(who, () => {
      for (const door of ['wide', 'builder'] as const) {
        it(`at ${door}: ${row[door] || 'nothing'}`, async () => {
          const token = tokens[who] ?? '';
          if (row[door] === 'refused') {
            for (const method of ['tools/list', 'tools/call'])
              expect((await rpc(at[door], token, method)).status).toBe(401);
            return;
          }
          const reached = row[door].split(' ').filter((column) => column !== '');
          const listed = (await listedTools(at[door], token)).filter(isNoCapability).map(columnOf);
          expect([...new Set(listed)].toSorted()).toEqual(reached.toSorted());
          for (const [column, { name, input }] of samples) {
            const { status, text: said, challenge } = await called(at[door], token, name, input);
            const stepUp = door === 'wide' && (row.stepUp ?? '').split(' ').includes(column);
            const expected = reached.includes(column) ? 'result' : stepUp ? 'step-up' : 'unknown';
            const found =
              status === 403 && challenge?.includes('insufficient_scope')
                ? 'step-up'
                : 'result' in (JSON.parse(said) as object)
                  ? 'result'
                  : said === unknown(name)
                    ? 'unknown'
                    : said;
            expect([column, found, status]).toEqual([column, expected, stepUp ? 403 : 200]);
          }
        });
      }

      it('at the open endpoint: the harbours', async () => {
        expect(await listedTools(at.open, tokens[who])).toHaveLength(5);
      });
    });
  }
});

function unknown(name: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: `Unknown tool: ${name}` } });
}
