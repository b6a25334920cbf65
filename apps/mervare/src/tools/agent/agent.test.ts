import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agent } from '../../mcp/families.ts';
import { callerWith, testTools } from '../../testing/tools.ts';
import { agentCheckpointGet, agentCheckpointSet } from './checkpoints.ts';
import { agentHandoffClaim, agentHandoffComplete } from './claims.ts';
import { agentContactPipelineList, agentContactPipelineUpsert } from './contacts.ts';
import { agentChangesSince, agentEventList, agentStateOverview } from './events.ts';
import { agentEvidenceAdd, agentEvidenceList } from './evidence.ts';
import {
  agentExperimentCreate,
  agentExperimentGet,
  agentExperimentList,
  agentExperimentUpdate,
} from './experiments.ts';
import { agentHandoffBlock, agentHandoffCreate, agentHandoffList } from './handoffs.ts';
import { agentHypothesisGet, agentHypothesisList, agentHypothesisUpsert } from './hypotheses.ts';
import { agentMailEnqueue, agentMailGet, agentMailList, agentMailPrepare } from './mail.ts';
import { agentMailPause, agentMailResume } from './mail-switch.ts';
import { agentRunRecord, agentVerificationRecord } from './records.ts';

let tools: Awaited<ReturnType<typeof testTools>>;
beforeAll(async () => {
  tools = await testTools();
  await sql`insert into service_agent (name, seen_at) values ('planner', now()), ('scout', now()), ('ci', now()), ('nightly', now())`.execute(
    tools.db,
  );
});
afterAll(() => tools.close());
beforeEach(async () => {
  await sql`truncate agent_hypothesis, agent_evidence, agent_handoff, agent_handoff_evidence, agent_checkpoint,
    agent_contact, agent_run, agent_experiment, agent_verification, agent_event, agent_mail, mail_letter, mail_reply, store_job`.execute(
    tools.db,
  );
});

const planner = callerWith({ kind: 'control_token', name: 'planner', scopes: ['control'] });
const scout = callerWith({ kind: 'control_token', name: 'scout', scopes: ['control'] });
const ci = callerWith({ kind: 'builder_token', name: 'ci', scopes: ['builder'], grants: ['builder'] });
const nightly = { ...ci, name: 'nightly' };

type Handoff = { id: string; version: number; state: string };
const hand = (to: string, more: object = {}) =>
  tools.ask<Handoff>(agentHandoffCreate, { to, title: 'Measure', body: 'Ten runs', ...more }, planner);
const claim = async (who: typeof ci, input: object = {}) =>
  tools.ask<{ handoff?: Handoff }>(agentHandoffClaim, input, who);
const complete = (who: typeof ci, handoff: Handoff | undefined, more: object = {}) =>
  tools.ask<Handoff>(
    agentHandoffComplete,
    { handoffId: handoff?.id, expectedVersion: handoff?.version, outcome: 'done', result: 'Good', ...more },
    who,
  );

describe('MER-35.1 access', () => {
  it('is by the scope control; a builder credential reaches claiming and completing alone', async () => {
    for (const tool of agent.tools) {
      const narrow = ['agent_handoff_claim', 'agent_handoff_complete'].includes(tool.name);
      const refused = { refused: 'unknown_tool' };
      const answer = await tools.ask(tool, {}, ci);
      if (narrow) expect(answer).not.toMatchObject(refused);
      else expect(answer).toMatchObject(refused);
      expect(await tools.ask(tool, {}, { ...ci, grants: [] })).toMatchObject(refused);
      expect(await tools.ask(tool, {}, planner)).not.toMatchObject(refused);
    }
  });
});

describe('MER-35.2 handoffs', () => {
  it('are claimed by their addressee alone, the oldest first, or the one that is named', async () => {
    const [first, second, third] = [
      await hand('builder_token:ci'),
      await hand('builder_token:ci'),
      await hand('builder_token:ci'),
    ];
    await hand('control_token:scout');
    expect(await claim(nightly)).toEqual({});
    expect(await claim(nightly, { handoffId: first.id })).toMatchObject({ refused: 'not_found' });
    expect(await claim(planner, { handoffId: first.id })).toMatchObject({ refused: 'not_found' });
    expect(await claim(callerWith({ ...ci, kind: 'control_token' }))).toEqual({});
    expect((await claim(ci, { handoffId: third.id })).handoff?.id).toBe(third.id);
    expect((await claim(ci)).handoff?.id).toBe(first.id);
    expect((await claim(ci)).handoff?.id).toBe(second.id);
    expect(await claim(ci)).toEqual({});
    expect(await claim(ci, { handoffId: third.id })).toMatchObject({ refused: 'conflict' });
  });

  it('are claimed once, however many ask at the same time', async () => {
    for (let n = 0; n < 3; n++) await hand('builder_token:ci');
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(ci)));
    const got = claims.flatMap(({ handoff }) => handoff?.id ?? []);
    expect([got.length, new Set(got).size]).toEqual([3, 3]);
    const one = await hand('builder_token:ci');
    const named = await Promise.all([1, 2, 3].map(() => claim(ci, { handoffId: one.id })));
    expect(named.filter(({ refused }) => refused === undefined)).toHaveLength(1);
  });

  it('are given again to who repeats the claim with its key', async () => {
    await hand('builder_token:ci');
    await hand('builder_token:ci');
    const lost = await claim(ci, { idempotencyKey: 'run-1' });
    expect(await claim(ci, { idempotencyKey: 'run-1' })).toEqual(lost);
    expect((await claim(ci)).handoff?.id).not.toBe(lost.handoff?.id);
  });

  it('end by their addressee as done or blocked, and then stay', async () => {
    await hand('builder_token:ci');
    const { handoff } = await claim(ci);
    expect(await complete(nightly, handoff)).toMatchObject({ refused: 'not_found' });
    expect(await complete(planner, handoff)).toMatchObject({ refused: 'not_found' });
    expect(await complete(ci, handoff)).toMatchObject({ state: 'done', result: { untrusted: 'Good' } });
    expect(await complete(ci, handoff)).toMatchObject({ refused: 'conflict', state: 'done' });
    const open = await hand('builder_token:ci');
    expect(await complete(ci, open)).toMatchObject({ refused: 'conflict' });
    const taken = await claim(ci);
    expect(await complete(ci, taken.handoff, { outcome: 'blocked', result: 'No access' })).toMatchObject({
      state: 'blocked',
    });
  });

  it('are open again when the lease ends, and then the first claim is void', async () => {
    await hand('builder_token:ci');
    const first = await claim(ci, { leaseSeconds: 60 });
    expect(await claim(ci)).toEqual({});
    tools.clock.now += 61_000;
    const second = await claim(ci);
    expect(second.handoff?.id).toBe(first.handoff?.id);
    expect(await complete(ci, first.handoff)).toMatchObject({ refused: 'conflict', version: 3 });
    expect(await complete(ci, second.handoff)).toMatchObject({ state: 'done' });
  });

  it('show a builder credential no evidence and no hypothesis', async () => {
    const hypothesis = await tools.ask<{ id: string }>(
      agentHypothesisUpsert,
      { statement: 'Longer stays', confidence: 0.5 },
      planner,
    );
    const evidence = await tools.ask<{ id: string }>(
      agentEvidenceAdd,
      { source: 'report', content: 'Visits fell', about: { hypothesisId: hypothesis.id, stance: 'against' } },
      planner,
    );
    const grounds = { hypothesisId: hypothesis.id, evidenceIds: [evidence.id] };
    expect(await hand('builder_token:ci', grounds)).toMatchObject(grounds);
    const { handoff } = await claim(ci);
    const done = await complete(ci, handoff);
    for (const seen of [handoff, done]) {
      expect(Object.keys(seen ?? {}).toSorted()).not.toEqual(expect.arrayContaining(['evidenceIds']));
      expect(JSON.stringify(seen)).not.toMatch(
        new RegExp([hypothesis.id, evidence.id, 'Longer stays', 'Visits fell'].join('|')),
      );
    }
    expect(await tools.ask(agentHandoffList, { to: 'builder_token:ci' }, scout)).toMatchObject({
      handoffs: [{ ...grounds, state: 'done' }],
    });
  });

  it('go to somebody who is known, and rest on what is there', async () => {
    expect(await hand('builder_token:nobody')).toMatchObject({ refused: 'not_found' });
    expect(await hand('funding_agent:scout')).toMatchObject({ refused: 'not_found' });
    expect(await hand('scout')).toMatchObject({ refused: 'not_found' });
    const missing = '0198c5c8-2a00-7000-8000-00000000dead';
    expect(await hand('control_token:scout', { evidenceIds: [missing] })).toMatchObject({
      refused: 'not_found',
    });
    expect(await hand('control_token:scout', { hypothesisId: missing })).toMatchObject({
      refused: 'not_found',
    });
  });

  it('are blocked by who made them or has them, and become no builder task', async () => {
    const one = await hand('control_token:scout');
    const block = (who: typeof ci) =>
      tools.ask(agentHandoffBlock, { handoffId: one.id, reason: 'Too early' }, who);
    expect(await block(callerWith({ ...planner, name: 'other' }))).toMatchObject({ refused: 'forbidden' });
    expect(await block(scout)).toMatchObject({ state: 'blocked', result: { untrusted: 'Too early' } });
    expect(await block(planner)).toMatchObject({ refused: 'conflict' });
    const { rows } = await sql`select from builder_task`.execute(tools.db);
    expect(rows).toEqual([]);
  });
});

describe('MER-35.3 checkpoints', () => {
  it('compare and set: of two who read the same, one succeeds', async () => {
    const set = (value: string, expectedVersion: number, who = planner) =>
      tools.ask(agentCheckpointSet, { name: 'crawl', value, expectedVersion }, who);
    const first = await Promise.all([set('a', 0), set('b', 0)]);
    expect(first.map(({ refused }) => refused).toSorted()).toEqual(['conflict', undefined]);
    const then = await Promise.all([set('c', 1), set('d', 1)]);
    expect(then.find(({ refused }) => refused)).toMatchObject({ refused: 'conflict', version: 2 });
    expect(await set('e', 7)).toMatchObject({ refused: 'conflict', version: 2 });
    expect(await set('mine', 0, scout)).toMatchObject({ agent: 'control_token:scout', version: 1 });
    expect(await tools.ask(agentCheckpointGet, { name: 'crawl' }, planner)).toMatchObject({ version: 2 });
    expect(
      await tools.ask(agentCheckpointGet, { name: 'crawl', agent: 'control_token:scout' }, planner),
    ).toMatchObject({ value: { untrusted: 'mine' } });
    expect(await tools.ask(agentCheckpointGet, { name: 'none' }, planner)).toMatchObject({
      refused: 'not_found',
      version: 0,
    });
  });
});

describe('MER-35.4 hypotheses and evidence', () => {
  it('stand together: evidence for and against, added for good, once', async () => {
    const state = (more: object) =>
      tools.ask<{ id: string; version: number }>(
        agentHypothesisUpsert,
        { statement: 'Longer stays', confidence: 0.5, ...more },
        planner,
      );
    const one = await state({});
    const add = (content: string, stance: string) =>
      tools.ask<{ id: string; hash: string }>(
        agentEvidenceAdd,
        { source: 'report', content, about: { hypothesisId: one.id, stance } },
        scout,
      );
    const found = await add('Rose', 'for');
    expect(await add('Rose', 'for')).toEqual(found);
    expect(found.hash).toBe(createHash('sha256').update('Rose').digest('hex'));
    await add('Fell', 'against');
    await add('Stood', 'against');
    expect(await tools.ask(agentHypothesisGet, { hypothesisId: one.id }, scout)).toMatchObject({
      statement: { untrusted: 'Longer stays' },
      evidenceFor: 1,
      evidenceAgainst: 2,
      for: [{ id: found.id, content: { untrusted: 'Rose' } }],
      against: [{ content: { untrusted: 'Stood' } }, { content: { untrusted: 'Fell' } }],
    });
    expect(await tools.ask(agentEvidenceList, { stance: 'for' }, scout)).toMatchObject({
      evidence: [{ id: found.id }],
    });
    for (const statement of [sql`update agent_evidence set content = 'x'`, sql`delete from agent_evidence`])
      await expect(statement.execute(tools.db)).rejects.toThrow('rows of agent_evidence are added and stay');
    const change = { hypothesisId: one.id, expectedVersion: 1, status: 'refuted', confidence: 0.1 };
    expect(await state(change)).toMatchObject({ version: 2, status: 'refuted' });
    expect(await state(change)).toMatchObject({ refused: 'conflict', version: 2 });
    expect(await state({ hypothesisId: one.id })).toMatchObject({ refused: 'invalid_input' });
    expect(await tools.ask(agentHypothesisList, { status: 'refuted' }, planner)).toMatchObject({
      hypotheses: [{ id: one.id, confidence: 0.1 }],
    });
  });
});

describe('MER-35.5 experiments, contacts and records', () => {
  it('an experiment goes from planned to running to finished with its result', async () => {
    const one = await tools.ask<{ id: string }>(
      agentExperimentCreate,
      { title: 'Pages', plan: 'Half each' },
      planner,
    );
    const move = (state: string, expectedVersion: number, more: object = {}) =>
      tools.ask(agentExperimentUpdate, { experimentId: one.id, expectedVersion, state, ...more }, planner);
    expect(await move('finished', 1, { result: 'x' })).toMatchObject({
      refused: 'conflict',
      state: 'planned',
    });
    expect(await move('running', 1)).toMatchObject({ state: 'running', version: 2 });
    expect(await move('running', 1)).toMatchObject({ refused: 'conflict', version: 2 });
    expect(await move('finished', 2)).toMatchObject({ refused: 'invalid_input' });
    expect(await move('finished', 2, { result: 'B wins' })).toMatchObject({ version: 3 });
    expect(await move('abandoned', 3)).toMatchObject({ refused: 'conflict' });
    expect(await tools.ask(agentExperimentGet, { experimentId: one.id }, scout)).toMatchObject({
      result: { untrusted: 'B wins' },
    });
    expect(await tools.ask(agentExperimentList, { state: 'finished' }, scout)).toMatchObject({
      experiments: [{ id: one.id }],
    });
  });

  it('a contact is entered by name and moved as it was read', async () => {
    const enter = (input: object) => tools.ask<{ id: string }>(agentContactPipelineUpsert, input, planner);
    const one = await enter({ name: 'Harbour master', stage: 'lead' });
    expect(
      await enter({ contactId: one.id, expectedVersion: 1, stage: 'talking', note: 'Called' }),
    ).toMatchObject({
      stage: 'talking',
      version: 2,
    });
    expect(await enter({ contactId: one.id, expectedVersion: 1, stage: 'lost' })).toMatchObject({
      version: 2,
    });
    expect(await enter({ stage: 'lead' })).toMatchObject({ refused: 'invalid_input' });
    expect(await tools.ask(agentContactPipelineList, { stage: 'talking' }, scout)).toMatchObject({
      contacts: [{ name: { untrusted: 'Harbour master' }, note: { untrusted: 'Called' } }],
    });
  });

  it('a run is recorded after it ended, and a verification by somebody else', async () => {
    const run = (startedAt: string, endedAt: string) =>
      tools.ask(agentRunRecord, { goal: 'G', outcome: 'failed', summary: 'S', startedAt, endedAt }, planner);
    expect(await run('2026-05-04T08:00:00Z', '2026-05-04T09:00:00Z')).toMatchObject({
      goal: { untrusted: 'G' },
    });
    expect(await run('2026-05-04T10:00:00Z', '2026-05-04T09:00:00Z')).toMatchObject({
      refused: 'invalid_input',
    });
    expect(await run('2026-05-04T10:00:00Z', '2099-05-04T09:00:00Z')).toMatchObject({
      refused: 'invalid_input',
    });
    const made = await tools.ask(agentExperimentCreate, { title: 'T', plan: 'P' }, planner);
    const verdict = { subjectKind: 'experiment', subject: made['id'], verdict: 'confirmed', method: 'Again' };
    expect(await tools.ask(agentVerificationRecord, verdict, planner)).toMatchObject({
      refused: 'forbidden',
    });
    expect(await tools.ask(agentVerificationRecord, verdict, scout)).toMatchObject({
      by: 'control_token:scout',
    });
    expect(
      await tools.ask(agentVerificationRecord, { ...verdict, subjectKind: 'handoff' }, scout),
    ).toMatchObject({
      refused: 'not_found',
    });
  });
});

describe('MER-35.7 letters', () => {
  interface Mail {
    readonly id: string;
    readonly digest: string;
    readonly state: string;
  }
  const text = { to: 'master@port.example', subject: 'Berths', text: 'May we call?' };
  const prepare = (more: object = {}) => tools.ask<Mail>(agentMailPrepare, { ...text, ...more }, planner);
  const enqueue = (mailId: string, digest: string) =>
    tools.ask<Mail>(agentMailEnqueue, { mailId, digest }, scout);
  const queued = async () => (await sql`select from store_job`.execute(tools.db)).rows.length;

  it('are frozen when prepared, and queued once by their digest', async () => {
    const one = await prepare();
    expect(one).toMatchObject({
      state: 'prepared',
      by: 'control_token:planner',
      digest: createHash('sha256').update('["master@port.example","Berths","May we call?"]').digest('hex'),
    });
    const other = await prepare({ text: 'May we call now?' });
    expect(await enqueue(one.id, other.digest)).toMatchObject({ refused: 'conflict' });
    expect(await queued()).toBe(0);
    const sending = await enqueue(one.id, one.digest);
    expect(sending).toMatchObject({ state: 'queued', enqueuedBy: 'control_token:scout' });
    expect(await enqueue(one.id, one.digest)).toEqual(sending);
    expect(await queued()).toBe(1);
    expect(await tools.ask(agentMailGet, { mailId: one.id }, planner)).toMatchObject({
      ...sending,
      text: { untrusted: 'May we call?' },
      replies: [],
    });
    expect(await tools.ask(agentMailList, { state: 'prepared' }, planner)).toMatchObject({
      paused: false,
      mails: [{ id: other.id, subject: { untrusted: 'Berths' } }],
    });
    for (const change of [sql`text = 'Else'`, sql`enqueued_at = now()`])
      await expect(
        sql`update agent_mail set ${change} where id = ${one.id}`.execute(tools.db),
      ).rejects.toThrow('stays as it was prepared');
  });

  it('are refused as long as they could not be sent', async () => {
    const lines = { subject: 'Berths\r\nBcc: all@port.example' };
    expect(await prepare(lines)).toMatchObject({ refused: 'invalid_input' });
    expect(await prepare({ to: 'a@port.example,b@port.example' })).toMatchObject({
      refused: 'invalid_input',
    });
    expect(await tools.ask(agentMailList, {}, planner)).toMatchObject({ mails: [] });
  });

  it('are stopped all together, by one who says why, until somebody lets them go on', async () => {
    const pause = (reason: string) => tools.ask(agentMailPause, { reason }, planner);
    const paused = await pause('Wrong list');
    expect(paused).toMatchObject({
      paused: true,
      sending: 0,
      by: 'control_token:planner',
      reason: { untrusted: 'Wrong list' },
    });
    expect(await pause('Again')).toEqual(paused);
    const one = await prepare();
    expect(await enqueue(one.id, one.digest)).toMatchObject({ state: 'queued' });
    expect(await tools.ask(agentMailList, {}, planner)).toMatchObject({ paused: true });
    expect(await tools.ask(agentMailResume, {}, scout)).toEqual({ paused: false });
    const events = await tools.ask<{ events: { what: string }[] }>(agentEventList, { kind: 'mail' }, scout);
    expect(events.events.map(({ what }) => what)).toEqual([
      'resumed',
      'queued',
      'prepared',
      'paused',
      'paused',
    ]);
  });
});

describe('MER-35.6 what happens', () => {
  it('is listed, counted, and followed by one cursor without gap or repeat beside many writers', async () => {
    const writers = [0, 1, 2, 3].map(async (writer) => {
      for (let n = 0; n < 8; n++)
        await tools.ask(agentEvidenceAdd, { source: `s${writer}`, content: `c${n}` }, planner);
    });
    const seen: string[] = [];
    let cursor: string | undefined;
    const read = async () => {
      const page = await tools.ask<{ events: { id: string }[]; cursor?: string }>(
        agentChangesSince,
        { limit: 5, ...(cursor && { cursor }) },
        scout,
      );
      cursor = page.cursor;
      seen.push(...page.events.map(({ id }) => id));
      return page.events.length;
    };
    const progress = { writing: true };
    const written = Promise.all(writers).then(() => {
      progress.writing = false;
      return undefined;
    });
    while (progress.writing) await read();
    await written;
    while (seen.length < 32 || (await read()) > 0) await read();
    expect([seen.length, new Set(seen).size]).toEqual([32, 32]);
    await hand('control_token:scout');
    expect(await tools.ask(agentEventList, { kind: 'handoff' }, scout)).toMatchObject({
      events: [{ by: 'control_token:planner', what: 'created' }],
    });
    expect(await tools.ask(agentStateOverview, {}, scout)).toMatchObject({
      evidence: 32,
      handoffs: { open: 1 },
      waiting: [{ addressee: 'control_token:scout', open: 1 }],
    });
  });
});

it('MER-30.7 agent: every write has left its row in the audit trail, and no read has', async () => {
  const { rows } = await sql<{ action: string }>`select distinct action from audit order by action`.execute(
    tools.db,
  );
  const writes = agent.tools.filter(({ effect }) => effect !== 'reads');
  expect(rows.map(({ action }) => action)).toEqual(writes.map(({ name }) => name).toSorted());
});
