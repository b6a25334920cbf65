import { explain, scopesOf } from '@portolan/mcp/tool';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { DevelopersPage } from '../pages/developers.tsx';
import { documents } from '../docs/documents.ts';
import { agent, builder, funding, harbour, logbook, survey } from './families.ts';
import { scopesOffered, toolNames, toolsFor } from './registry.ts';
import { builderOnly, discovery, servers, wide, type Server } from './servers.ts';
import { budget, keptSizes, listSizes, measure } from './sizes.ts';
import { scopes } from './vocabulary.ts';

const families = [survey, logbook, harbour, builder, agent, funding];
const tools = families.flatMap((family) => family.tools);

/** As published: names that clients depend on, letter for letter. */
const published = `
survey_capabilities survey_list survey_get survey_create_draft survey_update_draft survey_validate
survey_preview survey_publish survey_pause survey_resume survey_close survey_clone_version
survey_send_invitation survey_invitation_status survey_invitation_template_validate
survey_invitation_template_save survey_invitation_template_get survey_invitation_template_list
survey_target_context_validate survey_target_context_save survey_target_context_get
survey_target_context_list survey_invitation_create survey_invitation_get survey_invitation_list
survey_invitation_revoke survey_send survey_batch_prepare survey_batch_execute survey_batch_status
survey_replies survey_reply_handled survey_status survey_analysis survey_responses survey_save_analysis
survey_artifacts survey_audit logbook_stats logbook_entries harbour_search harbour_get harbour_page_snapshot
harbour_query harbour_stats builder_list_tasks builder_get_task builder_queue_task builder_cancel_task
builder_worker_status builder_recover_worker agent_state_overview agent_hypothesis_list agent_hypothesis_get
agent_hypothesis_upsert agent_evidence_add agent_evidence_list agent_handoff_create agent_handoff_list
agent_handoff_claim agent_handoff_complete agent_handoff_block agent_contact_pipeline_list
agent_contact_pipeline_upsert agent_run_record agent_experiment_create agent_experiment_update
agent_experiment_get agent_experiment_list agent_mail_prepare agent_mail_enqueue agent_mail_get
agent_mail_list agent_mail_pause agent_mail_resume agent_event_list agent_checkpoint_get
agent_checkpoint_set agent_changes_since agent_verification_record funding_workspace_list
funding_workspace_get funding_workspace_create funding_resource_list funding_resource_get
funding_resource_create funding_resource_status_update funding_resource_correct funding_comment_list
funding_comment_add funding_assessment_list funding_assessment_add funding_action_list
funding_action_propose funding_action_decide funding_collaborator_grant_list
funding_collaborator_grant_create funding_collaborator_grant_revoke funding_security_pause
funding_security_resume funding_audit_list funding_changes_since funding_inbox funding_inbox_ack
`
  .trim()
  .split(/\s+/);

const site = { origin: 'https://mervare.example', asset: (file: string) => `/${file}`, sveda: undefined };
const pageOf = async (registry: readonly Server[]): Promise<string> => {
  const app = new Hono().get('/', (c) =>
    c.html(DevelopersPage({ site, servers: registry, sizes: keptSizes() })),
  );
  return (await app.request('/')).text();
};
describe('the published surface', () => {
  it('MER-2.1 has three servers with exactly these names at these endpoints', () => {
    expect(servers.map(({ name, endpoint }) => [name, endpoint])).toEqual([
      ['mervare', '/api/mcp'],
      ['mervare-harbours', '/api/mcp/discovery'],
      ['mervare-builder', '/api/mcp/builder'],
    ]);
  });

  it('MER-2.2 names the 104, 5 and 6 tools in the published order', () => {
    expect(toolNames(wide)).toEqual(published);
    expect(published).toHaveLength(104);
    expect(toolNames(discovery)).toEqual([
      'harbour_search',
      'harbour_get',
      'harbour_page_snapshot',
      'harbour_query',
      'harbour_stats',
    ]);
    expect(toolNames(builderOnly)).toEqual([
      'builder_list_tasks',
      'builder_get_task',
      'builder_queue_task',
      'builder_cancel_task',
      'builder_worker_status',
      'builder_recover_worker',
    ]);
  });

  it('MER-1.1 offers scopes that follow from the families, in the published order', () => {
    expect(scopesOffered(wide)).toEqual([
      'author',
      'publisher',
      'analyst',
      'reader',
      'harbour',
      'builder',
      'discovery',
      'control',
      'funding',
    ]);
    expect(scopesOffered(discovery)).toEqual([]);
    expect(scopesOffered(builderOnly)).toEqual(['builder']);
    expect(scopesOffered({ ...wide, families: [harbour, logbook] })).toEqual(['harbour', 'discovery']);
  });
});

describe('every family', () => {
  it.each(families)('$prefix has its prefix on every name, and the scopes of its tools', (family) => {
    expect(family.tools.filter(({ name }) => !name.startsWith(family.prefix))).toEqual([]);
    const used = new Set(family.tools.flatMap(({ access }) => scopesOf(access)));
    expect([...used].filter((scope) => !(family.scopes as readonly string[]).includes(scope))).toEqual([]);
  });
});

describe('every tool', () => {
  it.each(tools)(
    'MER-30.1 $name has a title, words for a model, an example that runs and all hints',
    (tool) => {
      const { title, description, outputSchema, annotations } = tool.descriptor;
      expect([title, description, outputSchema].every(Boolean)).toBe(true);
      expect(Object.keys(annotations ?? {}).toSorted()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ]);
    },
  );

  it('MER-6.1 keeps within its budget of tokens', () => {
    const over = Object.entries(measure(tools, countTokens)).filter(
      ([, { callTokens, tokens }]) => callTokens > 450 || tokens > 900,
    );
    expect(over).toEqual([]);
    expect(budget).toEqual({ callTokens: 450, tokens: 900, listTokens: 40_000 });
  });

  it('MER-6.2 has its size printed, and no list is above the budget', () => {
    const sizes = keptSizes();
    expect(sizes).toEqual(measure(tools, countTokens));
    for (const server of servers)
      for (const { tokens } of listSizes(server, sizes)) expect(tokens).toBeLessThanOrEqual(40_000);
    const [, toolsPage = ''] =
      documents(servers, countTokens).find(([path]) => path.endsWith('tools.md')) ?? [];
    for (const { name, access, effect } of tools) {
      const { bytes, tokens, callTokens } = sizes[name] ?? {};
      expect(toolsPage).toContain(
        `| \`${name}\` | ${explain(access)} | ${effect} | ${bytes} | ${tokens} | ${callTokens} |`,
      );
    }
  });

  it('MER-6.3 is part of a list whose size stands on the page and in the documents, by scope', async () => {
    const five = harbour.tools;
    const tokens = five.reduce((sum, { name }) => sum + (keptSizes()[name]?.tokens ?? 0), 0);
    const bytes = Buffer.byteLength(JSON.stringify({ tools: five.map(({ descriptor }) => descriptor) }));
    const [, document = ''] =
      documents(servers, countTokens).find(([path]) => path.endsWith('servers.md')) ?? [];
    expect(document).toContain(`| none | Whatever anybody may read | 5 | ${bytes} | ${tokens} |`);
    expect(document).toContain(`| \`discovery\` | Read public harbour facts | 5 | ${bytes} | ${tokens} |`);
    const row = [5, bytes, tokens]
      .map((value) => `<td class="figure">${value.toLocaleString('en')}</td>`)
      .join('');
    for (const server of [discovery, { ...wide, families: [harbour] }])
      expect(await pageOf([server])).toContain(row);
    const search = keptSizes()['harbour_search'];
    expect(await pageOf([discovery])).toContain(
      `<td class="figure">${search?.bytes.toLocaleString('en')}</td><td class="figure">${search?.tokens.toLocaleString('en')}</td>`,
    );
  });

  it('names in its words only tools that are published', () => {
    const named = tools.flatMap(
      ({ descriptor }) => descriptor.description?.match(/\b[a-z]+_[a-z_]+\b/g) ?? [],
    );
    const operators = ['starts_with', 'at_least', 'at_most'];
    expect(named.filter((name) => !published.includes(name) && !operators.includes(name))).toEqual([]);
  });
});

describe('one registry', () => {
  const textOf = async (registry: readonly Server[]): Promise<string> =>
    documents(registry, countTokens)
      .map(([path, text]) => `${path}\n${text}`)
      .join('\n');

  it('MER-1.2 renders the page and the documents: a family that is turned off is nowhere', async () => {
    const without = servers.map((server) => ({
      ...server,
      families: server.families.filter((family) => family !== harbour && family !== logbook),
    }));
    for (const render of [pageOf, textOf]) {
      const before = await render(servers);
      const after = await render(without);
      for (const word of ['harbour_search', 'logbook_stats', 'harbour_*', 'Read observed harbour traffic']) {
        if (render === pageOf || word !== 'harbour_*') expect(before).toContain(word);
        expect(after).not.toContain(word);
      }
      expect(after).toContain('funding_inbox_ack');
    }
    const [wideWithout] = without;
    expect(wideWithout && scopesOffered(wideWithout)).not.toContain('harbour');
  });

  it('MER-1.3 names every tool and scope, and configures clients for every server', async () => {
    const page = await pageOf(servers);
    for (const [name, endpoint] of [
      ['mervare', '/api/mcp'],
      ['mervare-harbours', '/api/mcp/discovery'],
      ['mervare-builder', '/api/mcp/builder'],
    ])
      expect(page).toContain(
        `claude mcp add --transport http ${name} https://mervare.example${endpoint}</code>`,
      );
    for (const name of published) expect(page).toContain(`<code>${name}</code>`);
    for (const scope of Object.keys(scopes)) expect(page).toContain(`<code>${scope}</code>`);
  });

  it('MER-4.1 gives a caller the tools that its entitlement opens', () => {
    const nobody = { scopes: [], grants: [] };
    expect(toolsFor(discovery, nobody).map(({ name }) => name)).toEqual(toolNames(discovery));
  });
});
