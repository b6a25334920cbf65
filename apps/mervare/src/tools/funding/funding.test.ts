import { allows } from '@portolan/mcp/tool';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fundingCredential } from '../../funding/credentials.ts';
import { requireRunning } from '../../funding/security.ts';
import { funding } from '../../mcp/families.ts';
import { hashOf } from '../../people/secret.ts';
import { callerWith, testTools } from '../../testing/tools.ts';

let tools: Awaited<ReturnType<typeof testTools>>;
beforeAll(async () => {
  tools = await testTools();
});
afterAll(() => tools.close());

const byName = new Map(funding.tools.map((tool) => [tool.name, tool]));
type Someone = ReturnType<typeof callerWith>;
/** What the tool answers, or `refused` with the code. */
async function ask(name: string, input: object, caller: Someone) {
  const tool = byName.get(name);
  if (!tool) throw new Error(name);
  return tools.ask<Record<string, never>>(tool, input, caller);
}

type Role = 'super_admin' | 'collaborator' | 'agent' | 'service';
const member = (role: Role, realm?: string, name = `the-${role}`) =>
  callerWith({
    kind: role === 'super_admin' ? 'oauth' : `funding_${role}`,
    name,
    scopes: ['funding'],
    grants: [`funding_${role}`],
    role,
    ...(realm !== undefined && { realm }),
  });
const admin = member('super_admin', undefined, 'anna@mervare.example');
const other = member('super_admin', undefined, 'bert@mervare.example');

let workspace: string;
let resource: string;
beforeEach(async () => {
  const opened = await ask(
    'funding_workspace_create',
    { name: 'Shore power', purpose: 'Electric harbours' },
    admin,
  );
  workspace = opened['id'] ?? '';
  const added = await ask(
    'funding_resource_create',
    { workspaceId: workspace, kind: 'grant', name: 'Clean harbours', amountEur: 250_000 },
    admin,
  );
  resource = added['id'] ?? '';
});

/** Every cell: which of the 24 each role may see and call. */
const table: Record<string, string> = {
  funding_workspace_list: 'super_admin collaborator agent service',
  funding_workspace_get: 'super_admin collaborator agent service',
  funding_workspace_create: 'super_admin',
  funding_resource_list: 'super_admin collaborator agent service',
  funding_resource_get: 'super_admin collaborator agent service',
  funding_resource_create: 'super_admin',
  funding_resource_status_update: 'super_admin',
  funding_resource_correct: 'super_admin',
  funding_comment_list: 'super_admin collaborator agent service',
  funding_comment_add: 'super_admin collaborator agent',
  funding_assessment_list: 'super_admin collaborator agent service',
  funding_assessment_add: 'super_admin collaborator',
  funding_action_list: 'super_admin collaborator agent service',
  funding_action_propose: 'super_admin collaborator agent',
  funding_action_decide: 'super_admin',
  funding_collaborator_grant_list: 'super_admin',
  funding_collaborator_grant_create: 'super_admin',
  funding_collaborator_grant_revoke: 'super_admin',
  funding_security_pause: 'super_admin',
  funding_security_resume: 'super_admin',
  funding_audit_list: 'super_admin',
  funding_changes_since: 'super_admin collaborator agent service',
  funding_inbox: 'super_admin collaborator agent',
  funding_inbox_ack: 'super_admin collaborator agent',
};

describe('who may call what', () => {
  it('MER-37.1 is one table: every role at every one of the 24 tools', () => {
    expect([...byName.keys()]).toEqual(Object.keys(table));
    for (const role of ['super_admin', 'collaborator', 'agent', 'service'] as const)
      for (const [name, tool] of byName)
        expect([name, role, allows(tool.access, member(role))]).toEqual([
          name,
          role,
          table[name]?.split(' ').includes(role),
        ]);
  });

  it('MER-37.1 asks for the scope beside the role, and for a role beside the scope', () => {
    for (const [, { access }] of byName) {
      expect(allows(access, { scopes: ['control'], grants: ['funding_super_admin'] })).toBe(false);
      expect(allows(access, { scopes: ['funding'], grants: ['builder'] })).toBe(false);
    }
  });

  it('MER-37.2 has no super admin among the roles of a grant, in the tool and in the database', async () => {
    expect(
      await ask(
        'funding_collaborator_grant_create',
        { workspaceId: workspace, role: 'super_admin', name: 'boss' },
        admin,
      ),
    ).toMatchObject({ refused: 'invalid_input' });
    await expect(
      sql`insert into funding_grant (id, "by", at, workspace, role, name, secret_hash)
        values (gen_random_uuid(), 'x', now(), ${workspace}, 'super_admin', 'boss', sha256('x'))`.execute(
        tools.db,
      ),
    ).rejects.toThrow('funding_grant_role_check');
  });
});

describe('MER-37.3 a member bound to one workspace', () => {
  it('sees another one nowhere', async () => {
    const elsewhere = await ask('funding_workspace_create', { name: 'Elsewhere', purpose: 'Other' }, admin);
    const stranger = member('collaborator', elsewhere['id']);
    await ask('funding_comment_add', { resourceId: resource, text: 'Hidden' }, admin);
    const proposed = await ask(
      'funding_action_propose',
      { resourceId: resource, title: 'Apply', rationale: 'Now' },
      admin,
    );
    const none = { refused: 'not_found' };
    expect(await ask('funding_workspace_list', {}, stranger)).toMatchObject({
      workspaces: [{ id: elsewhere['id'] }],
    });
    expect(await ask('funding_workspace_get', { workspaceId: workspace }, stranger)).toMatchObject(none);
    expect(await ask('funding_resource_list', { workspaceId: workspace }, stranger)).toMatchObject(none);
    expect(await ask('funding_resource_get', { resourceId: resource }, stranger)).toMatchObject(none);
    expect(await ask('funding_comment_list', { resourceId: resource }, stranger)).toMatchObject(none);
    expect(await ask('funding_assessment_list', { resourceId: resource }, stranger)).toMatchObject(none);
    expect(await ask('funding_action_list', { workspaceId: workspace }, stranger)).toMatchObject(none);
    expect(await ask('funding_comment_add', { resourceId: resource, text: 'Hi' }, stranger)).toMatchObject(
      none,
    );
    expect(
      await ask('funding_assessment_add', { resourceId: resource, score: 1, text: 'No' }, stranger),
    ).toMatchObject(none);
    expect(
      await ask('funding_action_propose', { resourceId: resource, title: 'X', rationale: 'Y' }, stranger),
    ).toMatchObject(none);
    const missing = '0198c5c8-2a00-7000-8000-00000000dead';
    const said = async (id: string) =>
      JSON.stringify(await ask('funding_resource_get', { resourceId: id }, stranger));
    expect(await said(resource)).toBe(await said(missing));
    const changes = await ask('funding_changes_since', { limit: 100 }, stranger);
    expect(JSON.stringify(changes)).not.toContain(workspace);
    expect(JSON.stringify(changes)).not.toContain(proposed['id']);
  });
});

describe('MER-36.1 resources', () => {
  it('move on and are put right as they were read; the old value stays with why', async () => {
    const moved = await ask(
      'funding_resource_status_update',
      { resourceId: resource, status: 'reviewing', expectedVersion: 1 },
      admin,
    );
    expect(moved).toMatchObject({ status: 'reviewing', version: 2, name: { untrusted: 'Clean harbours' } });
    expect(
      await ask(
        'funding_resource_status_update',
        { resourceId: resource, status: 'dropped', expectedVersion: 1 },
        other,
      ),
    ).toEqual({
      refused: 'conflict',
      message: 'It has changed: its version is 2 now. Read it again.',
      version: 2,
    });
    const fix = {
      resourceId: resource,
      field: 'amountEur',
      value: 300_000,
      why: 'Raised in May',
      expectedVersion: 2,
    };
    expect(await ask('funding_resource_correct', fix, admin)).toMatchObject({
      amountEur: 300_000,
      version: 3,
    });
    await ask(
      'funding_resource_correct',
      { ...fix, field: 'deadline', value: '2027-02-28', expectedVersion: 3 },
      admin,
    );
    expect(
      await ask('funding_resource_get', { resourceId: resource }, member('service', workspace)),
    ).toMatchObject({
      amountEur: 300_000,
      deadline: '2027-02-28',
      version: 4,
      corrections: [
        { field: 'deadline', after: { untrusted: '2027-02-28' } },
        {
          field: 'amountEur',
          before: { untrusted: '250000' },
          after: { untrusted: '300000' },
          why: { untrusted: 'Raised in May' },
          by: 'oauth:anna@mervare.example',
        },
      ],
    });
    for (const [field, value] of [
      ['kind', 'gift'],
      ['name', null],
      ['deadline', '2027-02-30'],
      ['url', 'javascript:alert(1)'],
      ['amountEur', -1],
    ])
      expect(
        await ask('funding_resource_correct', { ...fix, field, value, expectedVersion: 4 }, admin),
      ).toMatchObject({
        refused: 'invalid_input',
      });
  });

  it('are changed by one of two at the same time', async () => {
    const both = await Promise.all(
      [admin, other].map((caller) =>
        ask(
          'funding_resource_status_update',
          { resourceId: resource, status: 'applying', expectedVersion: 1 },
          caller,
        ),
      ),
    );
    expect(both.map(({ refused }) => refused).toSorted()).toEqual(['conflict', undefined]);
  });

  it('are listed by status and kind, in pages', async () => {
    for (const name of ['Loan A', 'Loan B'])
      await ask('funding_resource_create', { workspaceId: workspace, kind: 'loan', name }, admin);
    const first = await ask(
      'funding_resource_list',
      { workspaceId: workspace, kind: 'loan', limit: 1 },
      admin,
    );
    const second = await ask(
      'funding_resource_list',
      { workspaceId: workspace, kind: 'loan', limit: 1, cursor: first['nextCursor'] },
      admin,
    );
    const names = [first, second].flatMap(
      (page) => page['resources'] as unknown as { name: { untrusted: string } }[],
    );
    expect(names.map(({ name }) => name.untrusted).toSorted()).toEqual(['Loan A', 'Loan B']);
    expect(second['nextCursor']).toBeUndefined();
  });
});

describe('MER-36.2 actions', () => {
  it('are decided for good by somebody else than who proposed them', async () => {
    const scout = member('agent', workspace, 'scout');
    const proposed = await ask(
      'funding_action_propose',
      { resourceId: resource, title: 'Apply', rationale: 'It fits' },
      admin,
    );
    const verdict = { actionId: proposed['id'], decision: 'approved', reason: 'Yes' };
    expect(await ask('funding_action_decide', verdict, admin)).toMatchObject({ refused: 'forbidden' });
    expect(await ask('funding_action_decide', verdict, scout)).toMatchObject({ refused: 'unknown_tool' });
    const both = await Promise.all([
      ask('funding_action_decide', verdict, other),
      ask('funding_action_decide', { ...verdict, decision: 'rejected' }, other),
    ]);
    expect(both.map(({ refused }) => refused).toSorted()).toEqual(['conflict', undefined]);
    await expect(
      sql`update funding_action set decision = 'rejected' where id = ${proposed['id']}`.execute(tools.db),
    ).rejects.toThrow('a row of funding_action is final');
    expect(await ask('funding_inbox', {}, admin)).toMatchObject({
      items: [{ kind: 'decision', subject: proposed['id'], by: 'oauth:bert@mervare.example' }],
    });
  });

  it('and assessments and comments stay as they were given', async () => {
    const expert = member('collaborator', workspace, 'expert');
    for (const score of [2, 5])
      await ask('funding_assessment_add', { resourceId: resource, score, text: 'Because' }, expert);
    expect(await ask('funding_assessment_list', { resourceId: resource }, expert)).toMatchObject({
      meanScore: 3.5,
      assessments: [{ by: 'funding_collaborator:expert' }, { text: { untrusted: 'Because' } }],
    });
    for (const table of ['funding_assessment', 'funding_comment']) {
      await ask('funding_comment_add', { resourceId: resource, text: 'Said' }, expert);
      await expect(sql`update ${sql.table(table)} set text = 'Other'`.execute(tools.db)).rejects.toThrow(
        'is final',
      );
    }
  });
});

describe('MER-36.3 inbox', () => {
  it('tells each who has spoken of what others say, until it is acknowledged', async () => {
    const [one, two] = [member('agent', workspace, 'one'), member('collaborator', workspace, 'two')];
    const say = (text: string, who: Someone) =>
      ask('funding_comment_add', { resourceId: resource, text }, who);
    await say('First', one);
    const second = await say('Second', two);
    const { items } = (await ask('funding_inbox', {}, one)) as unknown as {
      items: { id: string; subject: string }[];
    };
    expect(items.map(({ subject }) => subject)).toEqual([second['id']]);
    expect(await ask('funding_inbox', {}, two)).toMatchObject({ items: [] });
    const ids = items.map(({ id }) => id);
    expect(await ask('funding_inbox_ack', { ids }, two)).toMatchObject({ refused: 'not_found' });
    expect(await ask('funding_inbox_ack', { ids }, one)).toEqual({ acknowledged: ids });
    expect(await ask('funding_inbox_ack', { ids }, one)).toEqual({ acknowledged: ids });
    expect(await ask('funding_inbox', {}, one)).toMatchObject({ items: [] });
    expect(await ask('funding_inbox', { includeAcknowledged: true }, one)).toMatchObject({
      items: [{ id: ids[0] }],
    });
  });
});

describe('grants', () => {
  const grant = (more: object = {}) =>
    ask('funding_collaborator_grant_create', { workspaceId: workspace, role: 'agent', ...more }, admin);

  it('MER-37.4 show their secret once, keep its hash only, and end at once', async () => {
    const made = await grant({ name: 'scout-1' });
    const secret: string = made['secret'] ?? '';
    expect(secret).toMatch(/^mvf_[\w-]{43}$/);
    expect(await fundingCredential(tools.db, hashOf(secret))).toEqual({
      name: 'scout-1',
      role: 'agent',
      workspace,
    });
    const rows = await sql<{ all: string }>`select (select jsonb_agg(g)::text from funding_grant g)
      || coalesce((select jsonb_agg(w)::text from idempotent_write w), '')
      || (select jsonb_agg(a)::text from audit a) as all`.execute(tools.db);
    expect(rows.rows[0]?.all).not.toContain(secret);
    const listed = await ask('funding_collaborator_grant_list', { workspaceId: workspace }, admin);
    expect(listed).toMatchObject({ grants: [{ id: made['id'], name: 'scout-1', role: 'agent' }] });
    expect(JSON.stringify(listed)).not.toContain('secret');
    const revoked = await ask('funding_collaborator_grant_revoke', { grantId: made['id'] }, admin);
    expect(revoked).toMatchObject({ revokedBy: 'oauth:anna@mervare.example' });
    expect(await fundingCredential(tools.db, hashOf(secret))).toBeUndefined();
    expect(await ask('funding_collaborator_grant_revoke', { grantId: made['id'] }, other)).toEqual(revoked);
    expect(await grant({ name: 'Scout-1' })).toMatchObject({ refused: 'conflict' });
  });

  it('MER-37.5 may be a person’s, one at a time', async () => {
    const id = '0198c5c8-2a00-7000-8000-00000000c0de';
    await sql`insert into person (id, email, name, created_at)
      values (${id}, 'cleo@partner.example', 'Cleo', now())`.execute(tools.db);
    const made = await grant({ name: 'cleo', email: 'Cleo@partner.example' });
    expect(made).toMatchObject({ name: 'cleo', role: 'agent' });
    expect('secret' in made).toBe(false);
    expect(await grant({ name: 'cleo-2', email: 'cleo@partner.example' })).toMatchObject({
      refused: 'conflict',
    });
    expect(await grant({ name: 'nobody', email: 'nobody@partner.example' })).toMatchObject({
      refused: 'not_found',
    });
    await ask('funding_collaborator_grant_revoke', { grantId: made['id'] }, admin);
    expect(await grant({ name: 'cleo-3', email: 'cleo@partner.example' })).toMatchObject({ name: 'cleo-3' });
  });
});

describe('a pause', () => {
  it('MER-37.6 stops every write and every credential at once, but not its own end', async () => {
    const made = await ask(
      'funding_collaborator_grant_create',
      { workspaceId: workspace, role: 'collaborator', name: 'paused-one' },
      admin,
    );
    const hash = hashOf(made['secret'] ?? '');
    const proposed = await ask(
      'funding_action_propose',
      { resourceId: resource, title: 'Apply', rationale: 'It fits' },
      other,
    );
    const stopped = await ask('funding_security_pause', { reason: 'A leak' }, admin);
    expect(stopped).toEqual({
      paused: true,
      since: new Date(tools.clock.now).toISOString(),
      by: 'oauth:anna@mervare.example',
      reason: { untrusted: 'A leak' },
    });
    expect(await ask('funding_security_pause', { reason: 'Again' }, other)).toEqual(stopped);
    expect(await fundingCredential(tools.db, hash)).toBeUndefined();
    const writes: [string, object][] = [
      ['funding_workspace_create', { name: 'A', purpose: 'B' }],
      ['funding_resource_create', { workspaceId: workspace, kind: 'loan', name: 'A' }],
      ['funding_resource_status_update', { resourceId: resource, status: 'dropped', expectedVersion: 1 }],
      [
        'funding_resource_correct',
        { resourceId: resource, field: 'name', value: 'A', why: 'B', expectedVersion: 1 },
      ],
      ['funding_comment_add', { resourceId: resource, text: 'A' }],
      ['funding_assessment_add', { resourceId: resource, score: 1, text: 'A' }],
      ['funding_action_propose', { resourceId: resource, title: 'A', rationale: 'B' }],
      ['funding_action_decide', { actionId: proposed['id'], decision: 'approved', reason: 'A' }],
      ['funding_collaborator_grant_create', { workspaceId: workspace, role: 'agent', name: 'late' }],
      ['funding_collaborator_grant_revoke', { grantId: made['id'] }],
      ['funding_inbox_ack', { ids: [proposed['id']] }],
    ];
    for (const [name, input] of writes)
      expect([name, await ask(name, input, admin)]).toMatchObject([name, { refused: 'unavailable' }]);
    const allWrites = [...byName.values()].filter(({ effect }) => effect !== 'reads').map(({ name }) => name);
    expect(
      [...writes.map(([name]) => name), 'funding_security_pause', 'funding_security_resume'].toSorted(),
    ).toEqual(allWrites.toSorted());
    expect(await ask('funding_resource_get', { resourceId: resource }, admin)).toMatchObject({
      id: resource,
    });
    expect(await ask('funding_security_resume', {}, admin)).toEqual({ paused: false });
    expect(await fundingCredential(tools.db, hash)).toMatchObject({ name: 'paused-one' });
    expect(await ask('funding_comment_add', { resourceId: resource, text: 'On' }, admin)).toMatchObject({
      text: { untrusted: 'On' },
    });
  });

  it('MER-37.6 waits for a write under way and stops the next', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let started: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      started = resolve;
    });
    const writing = tools.db.transaction().execute(async (tx) => {
      await requireRunning(tx);
      started();
      await held;
    });
    await begun;
    let paused = false;
    const pausing = (async () => {
      await ask('funding_security_pause', { reason: 'Now' }, admin);
      paused = true;
    })();
    await waitingFor('funding_switch');
    expect(paused).toBe(false);
    release();
    await Promise.all([writing, pausing]);
    expect(await ask('funding_comment_add', { resourceId: resource, text: 'Late' }, admin)).toMatchObject({
      refused: 'unavailable',
    });
    await ask('funding_security_resume', {}, admin);
  });
});

/** Resolves once somebody waits for a lock on a row of the table. */
async function waitingFor(table: string): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and query like ${`%${table}%`} and datname = current_database()`.execute(
      tools.db,
    );
    if (rows.length > 0) return;
  }
}

type Changes = { changes: { kind: string; what: string }[]; cursor?: string };

/**
 * What the caller is told after the cursor, read in pages of `limit` until so many changes have come: they are held back while any
 * transaction of the server is older, also one of another test.
 */
async function follow(
  caller: Someone,
  wanted: number,
  { limit = 50, cursor }: { limit?: number; cursor?: string } = {},
) {
  const told: string[] = [];
  let at = cursor;
  while (told.length < wanted) {
    const page = (await ask(
      'funding_changes_since',
      { limit, ...(at && { cursor: at }) },
      caller,
    )) as unknown as Changes;
    told.push(...page.changes.map(({ kind, what }) => `${kind} ${what}`));
    at = page.cursor;
  }
  return { told, cursor: at ?? '' };
}

describe('MER-36.4 what happened', () => {
  it('is told once and in order; grants and pauses to super admins only', async () => {
    const scout = member('agent', workspace, 'follower');
    const start = await follow(scout, 2);
    expect(start.told).toEqual(['workspace created', 'resource created']);
    await ask('funding_comment_add', { resourceId: resource, text: 'A' }, scout);
    await ask(
      'funding_collaborator_grant_create',
      { workspaceId: workspace, role: 'agent', name: 'seen' },
      admin,
    );
    await ask('funding_action_propose', { resourceId: resource, title: 'B', rationale: 'C' }, scout);
    const then = await follow(scout, 2, { limit: 1, cursor: start.cursor });
    expect(then.told).toEqual(['comment created', 'action created']);
    expect(await ask('funding_changes_since', { cursor: then.cursor }, scout)).toEqual({
      changes: [],
      cursor: then.cursor,
    });
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from funding_change`.execute(
      tools.db,
    );
    const all = await follow(admin, rows[0]?.n ?? 0);
    expect(all.told).toContain('grant created');
    expect(all.told).toContain('security paused');
    expect(await ask('funding_changes_since', { cursor: then.cursor }, admin)).toMatchObject({
      refused: 'invalid_input',
    });
  });

  it('stands in the audit trail: who, with what, by which tool, about what, and no word of what was said', async () => {
    const scout = member('agent', workspace, 'audited');
    const said = await ask('funding_comment_add', { resourceId: resource, text: 'sesame' }, scout);
    const trail = await ask('funding_audit_list', { about: said['id'] }, admin);
    expect(trail).toEqual({
      writes: [
        {
          at: said['at'],
          credential: 'funding_agent',
          who: 'audited',
          tool: 'funding_comment_add',
          ids: [said['id'], resource],
        },
      ],
    });
    const { rows } = await sql<{ all: string }>`select jsonb_agg(a)::text as all from audit a`.execute(
      tools.db,
    );
    expect(rows[0]?.all).not.toContain('sesame');
  });
});

describe('MER-30.2 a write with a key', () => {
  it('is done once and answers the same, also to two at the same time', async () => {
    const scout = member('agent', workspace, 'repeater');
    const comment = { resourceId: resource, text: 'Once', idempotencyKey: 'k1' };
    const both = await Promise.all([1, 2].map(() => ask('funding_comment_add', comment, scout)));
    expect(both[0]).toEqual(both[1]);
    expect(await ask('funding_comment_add', comment, scout)).toEqual(both[0]);
    const { comments } = await ask('funding_comment_list', { resourceId: resource }, scout);
    expect(comments).toHaveLength(1);
    const trail = await ask('funding_audit_list', { about: both[0]?.['id'] }, admin);
    expect(trail['writes']).toHaveLength(1);
    expect(await ask('funding_comment_add', { ...comment, text: 'Other' }, scout)).toMatchObject({
      refused: 'conflict',
      message: 'This idempotencyKey was used with other arguments. Repeat those, or take a new key.',
    });
  });

  it('belongs to its caller and its tool, is not kept for a refusal, and lasts a day', async () => {
    const [one, two] = [member('agent', workspace, 'key-one'), member('agent', workspace, 'key-two')];
    const comment = { resourceId: resource, text: 'Mine', idempotencyKey: 'same' };
    const first = await ask('funding_comment_add', comment, one);
    const second = await ask('funding_comment_add', comment, two);
    expect(second['id']).not.toBe(first['id']);
    const proposal = { resourceId: resource, title: 'T', rationale: 'R', idempotencyKey: 'same' };
    expect(await ask('funding_action_propose', proposal, one)).toMatchObject({ title: { untrusted: 'T' } });
    const refused = {
      resourceId: '0198c5c8-2a00-7000-8000-00000000dead',
      text: 'X',
      idempotencyKey: 'later',
    };
    expect(await ask('funding_comment_add', refused, one)).toMatchObject({ refused: 'not_found' });
    expect(await ask('funding_comment_add', { ...refused, resourceId: resource }, one)).toMatchObject({
      resource,
    });
    // So many that one write does not sweep them all, each forgotten before the one that is used again.
    await sql`insert into idempotent_write (actor, tool, key, digest, expires_at)
      select 'somebody', 'old', n::text, sha256('x'), now() - interval '1 year' from generate_series(1, 100) as n`.execute(
      tools.db,
    );
    tools.clock.now += 24 * 3_600_000 + 1;
    const again = await ask('funding_comment_add', comment, one);
    tools.clock.now -= 24 * 3_600_000 + 1;
    expect(again['id']).not.toBe(first['id']);
  });
});

it('MER-30.7 funding: every write has left its row in the audit trail, and no read has', async () => {
  const { rows } = await sql<{ action: string }>`select distinct action from audit order by action`.execute(
    tools.db,
  );
  const writes = funding.tools.filter(({ effect }) => effect !== 'reads');
  expect(rows.map(({ action }) => action)).toEqual(writes.map(({ name }) => name).toSorted());
});
