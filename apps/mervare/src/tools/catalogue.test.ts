import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agent, builder, funding, logbook, survey } from '../mcp/families.ts';
import { takeResponse } from '../survey/responses.ts';
import { onlyReads } from '../testing/only-reads.ts';
import { callerWith, testTools } from '../testing/tools.ts';

let site: Awaited<ReturnType<typeof testTools>>;
let withoutWriting: Awaited<ReturnType<typeof onlyReads>>;
beforeAll(async () => {
  site = await testTools();
  withoutWriting = await onlyReads(site.db);
});
afterAll(() => site.close());

/** Every tool behind a credential, but for the one that only tells a caller of itself. */
const tools = [survey, logbook, builder, agent, funding]
  .flatMap((family) => family.tools)
  .filter(({ name }) => name !== 'survey_capabilities');

/** Somebody who may call them all. */
const everything = callerWith({
  kind: 'oauth',
  name: 'anna@mervare.example',
  scopes: ['author', 'publisher', 'analyst', 'reader', 'harbour', 'builder', 'control', 'funding'],
  grants: ['builder', 'funding_super_admin'],
  role: 'super_admin',
});

const byName = new Map(tools.map((tool) => [tool.name, tool]));
/** Words that others wrote, in every place where a tool takes some. */
const PLANTED = 'planted words';

/** The tools that have answered, and not refused. */
const answered = new Set<string>();

/** What a tool answers. One that only reads may write nothing. */
async function answerOf(name: string, input: unknown) {
  const tool = byName.get(name);
  if (!tool) throw new Error(name);
  const act = () => site.ask<{ id: string; batchId: string }>(tool, input, everything);
  const answer = await (tool.effect === 'reads' ? withoutWriting(act) : act());
  if (!answer.refused) answered.add(name);
  return answer;
}

/** What a tool answers; what of the planted words stands in it outside of a marked field is collected. */
async function plant(name: string, input: object, strays: string[]) {
  const answer = await answerOf(name, input);
  if (answer.refused) throw new Error(`${name}: ${answer.message}`);
  JSON.stringify(answer, (key, value: unknown) => {
    if (key !== 'untrusted' && typeof value === 'string' && value.includes(PLANTED))
      strays.push(`${name}.${key}`);
    return value;
  });
  if (!JSON.stringify(answer).includes(PLANTED)) strays.push(`${name} shows nothing of it`);
  return answer;
}

/** Words in a letter, of its addressee and in an invitation. */
async function plantLetters(
  edition: { readonly surveyId: string; readonly edition: number },
  ask: (name: string, input: object) => ReturnType<typeof answerOf>,
) {
  const save = async (name: string, input: object) => (await answerOf(name, input)).id;
  const texts = [{ language: 'en', subject: PLANTED, body: `${PLANTED} {{said}} {{link}}` }];
  const template = { name: PLANTED, placeholders: ['said'], texts };
  const templateId = await save('survey_invitation_template_save', template);
  const addressee = { email: 'planted@mervare.example', person: PLANTED, language: 'en' };
  const contextId = await save('survey_target_context_save', { ...addressee, facts: { said: PLANTED } });
  await ask('survey_invitation_template_get', { templateId });
  await ask('survey_invitation_template_list', {});
  await ask('survey_target_context_get', { contextId });
  await ask('survey_target_context_list', {});
  const contextIds = [contextId];
  const { batchId } = await ask('survey_batch_prepare', { ...edition, templateId, contextIds });
  await answerOf('survey_batch_status', { batchId });
  const { id: invitationId } = await ask('survey_invitation_create', { ...edition, name: PLANTED });
  await ask('survey_invitation_get', { invitationId });
  await answerOf('survey_invitation_status', { invitationId });
  await ask('survey_invitation_list', { surveyId: edition.surveyId });
  await ask('survey_preview', edition);
}

describe('every tool behind a credential', () => {
  it('MER-30.3 answers its example, or refuses it for what is not there, but never for its form', async () => {
    for (const tool of tools) {
      const { refused } = await answerOf(tool.name, tool.example);
      expect([tool.name, [undefined, 'not_found'].includes(refused)]).toEqual([tool.name, true]);
    }
  });

  it('MER-30.4 asks for confirmation where it publishes, sends mail, queues, recovers, decides, grants or destroys', () => {
    const asking = tools.filter(({ descriptor: { _meta: meta } }) => meta?.['confirmation'] === 'required');
    expect(asking.map(({ name }) => name)).toEqual([
      'survey_publish',
      'survey_resume',
      'survey_close',
      'survey_send_invitation',
      'survey_invitation_revoke',
      'survey_send',
      'survey_batch_execute',
      'builder_queue_task',
      'builder_cancel_task',
      'builder_recover_worker',
      'agent_mail_enqueue',
      'agent_mail_resume',
      'funding_action_decide',
      'funding_collaborator_grant_create',
      'funding_collaborator_grant_revoke',
      'funding_security_resume',
    ]);
    const destroying = tools.filter(({ effect }) => effect === 'destroys');
    expect(destroying.filter((tool) => !asking.includes(tool))).toEqual([]);
  });

  it('MER-30.5 takes a key where repeating it would write twice', () => {
    const properties = ({ descriptor }: (typeof tools)[number]) =>
      Object.keys(descriptor.inputSchema['properties'] ?? {});
    const without = tools.filter(
      (tool) => tool.effect !== 'reads' && !properties(tool).includes('idempotencyKey'),
    );
    // Each of these does the same when it is repeated, refuses, or must not keep what it answered: a secret.
    expect(without.map(({ name }) => name)).toEqual([
      'survey_invitation_create',
      'survey_invitation_revoke',
      'survey_batch_execute',
      'survey_reply_handled',
      'builder_cancel_task',
      'builder_recover_worker',
      'agent_mail_enqueue',
      'agent_mail_pause',
      'agent_mail_resume',
      'funding_collaborator_grant_create',
      'funding_collaborator_grant_revoke',
      'funding_security_pause',
      'funding_security_resume',
      'funding_inbox_ack',
    ]);
  });

  it('MER-30.8 MER-30.10 marks what others wrote, wherever it comes back, and writes nothing where it only reads', async () => {
    const strays: string[] = [];
    const ask = (name: string, input: object) => plant(name, input, strays);
    const workspace = await ask('funding_workspace_create', { name: PLANTED, purpose: PLANTED });
    const at = { workspaceId: workspace.id };
    const resource = await ask('funding_resource_create', {
      ...at,
      kind: 'loan',
      name: PLANTED,
      summary: PLANTED,
    });
    const about = { resourceId: resource.id };
    const wrong = { ...about, field: 'name', value: `${PLANTED} 2`, why: PLANTED, expectedVersion: 1 };
    await ask('funding_resource_correct', wrong);
    await ask('funding_comment_add', { ...about, text: PLANTED });
    await ask('funding_assessment_add', { ...about, score: 3, text: PLANTED });
    await ask('funding_action_propose', { ...about, title: PLANTED, rationale: PLANTED });
    await ask('funding_security_pause', { reason: PLANTED });
    for (const [name, input] of [
      ['funding_workspace_list', {}],
      ['funding_workspace_get', at],
      ['funding_resource_list', at],
      ['funding_resource_get', about],
      ['funding_comment_list', about],
      ['funding_assessment_list', about],
      ['funding_action_list', at],
    ] as const)
      await ask(name, input);

    const task = await ask('builder_queue_task', {
      title: PLANTED,
      instructions: PLANTED,
      acceptance: PLANTED,
    });
    await ask('builder_list_tasks', {});
    await ask('builder_get_task', { taskId: task.id });

    await site.db
      .insertInto('service_agent')
      .values({ name: 'planner', seen_at: new Date(), withdrawn_at: null })
      .execute();
    const hypothesis = await ask('agent_hypothesis_upsert', { statement: PLANTED, confidence: 0.5 });
    const held = { hypothesisId: hypothesis.id };
    const evidence = { source: PLANTED, content: PLANTED, about: { ...held, stance: 'for' } };
    await ask('agent_evidence_add', evidence);
    await ask('agent_handoff_create', { to: 'control_token:planner', title: PLANTED, body: PLANTED });
    await ask('agent_contact_pipeline_upsert', { name: PLANTED, note: PLANTED, stage: 'lead' });
    const experiment = await ask('agent_experiment_create', { title: PLANTED, plan: PLANTED });
    await ask('agent_checkpoint_set', { name: 'planted', value: PLANTED, expectedVersion: 0 });
    const period = { startedAt: '2026-05-04T08:00:00Z', endedAt: '2026-05-04T08:20:00Z' };
    const letter = { to: 'planted@mervare.example', subject: PLANTED, text: PLANTED };
    const mail = await ask('agent_mail_prepare', letter);
    await ask('agent_mail_pause', { reason: PLANTED });
    await ask('agent_run_record', { goal: PLANTED, summary: PLANTED, outcome: 'stopped', ...period });
    for (const [name, input] of [
      ['agent_hypothesis_list', {}],
      ['agent_hypothesis_get', held],
      ['agent_evidence_list', {}],
      ['agent_handoff_list', {}],
      ['agent_contact_pipeline_list', {}],
      ['agent_experiment_list', {}],
      ['agent_experiment_get', { experimentId: experiment.id }],
      ['agent_checkpoint_get', { name: 'planted' }],
      ['agent_mail_list', {}],
      ['agent_mail_get', { mailId: mail.id }],
    ] as const)
      await ask(name, input);

    const questions = [
      { id: 'said', type: 'text', label: PLANTED, help: PLANTED },
      {
        id: 'one',
        type: 'single',
        label: PLANTED,
        options: [
          { id: 'a', label: PLANTED },
          { id: 'b', label: PLANTED },
        ],
      },
    ];
    const draft = await ask('survey_create_draft', {
      title: PLANTED,
      intro: PLANTED,
      language: 'en',
      questions,
    });
    const surveyId = String(draft['surveyId']);
    const edition = { surveyId, edition: 1 };
    await ask('survey_publish', { ...edition, expectedVersion: 1 });
    const key = { survey: surveyId, edition: 1 };
    await site.db.transaction().execute((tx) => takeResponse(tx, key, { said: PLANTED }, site.clock.now));
    await ask('survey_list', {});
    await ask('survey_get', edition);
    await ask('survey_responses', edition);
    await ask('survey_analysis', edition);
    const kept = await ask('survey_save_analysis', { ...edition, title: PLANTED });
    await ask('survey_artifacts', { surveyId, artifactId: kept.id });
    await plantLetters({ surveyId, edition: 1 }, ask);
    expect(strays).toEqual([]);

    const reading = tools.filter(({ effect }) => effect === 'reads');
    for (const { name, example } of reading) await answerOf(name, example);
    for (const name of ['survey_validate', 'survey_status']) await answerOf(name, edition);
    await answerOf('funding_collaborator_grant_list', at);
    expect(reading.map(({ name }) => name).filter((name) => !answered.has(name))).toEqual([]);
    await expect(withoutWriting(() => ask('agent_mail_pause', { reason: PLANTED }))).rejects.toThrow(
      'what only reads writes to',
    );
  });

  it('MER-30.6 pages where it lists', () => {
    const lists = tools.filter(({ name }) =>
      /_(list|list_tasks|entries|responses|artifacts|audit|inbox|replies|since)$/.test(name),
    );
    expect(lists).toHaveLength(27);
    for (const { name, descriptor } of lists) {
      const { limit, cursor } = descriptor.inputSchema['properties'] as Record<string, { maximum?: number }>;
      expect([name, limit?.maximum, cursor !== undefined]).toEqual([name, 100, true]);
    }
  });
});
