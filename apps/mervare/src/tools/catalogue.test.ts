import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agent, builder, builtTools, funding, logbook, survey } from '../mcp/families.ts';
import { callerWith, testTools } from '../testing/tools.ts';

let site: Awaited<ReturnType<typeof testTools>>;
beforeAll(async () => {
  site = await testTools();
});
afterAll(() => site.close());

/** Every tool behind a credential, but for the one that only tells a caller of itself. */
const tools = [survey, logbook, builder, agent, funding]
  .flatMap(builtTools)
  .filter(({ name }) => name !== 'survey_capabilities');

/** Somebody who may call them all. */
const everything = callerWith({
  kind: 'oauth',
  name: 'anna@mervare.example',
  scopes: ['author', 'publisher', 'analyst', 'reader', 'harbour', 'builder', 'control', 'funding'],
  grants: ['builder', 'funding_super_admin'],
  role: 'super_admin',
});

describe('every tool behind a credential', () => {
  it('MER-30.3 answers its example, or refuses it for what is not there, but never for its form', async () => {
    for (const tool of tools) {
      const { refused } = await site.ask(tool, tool.example, everything);
      expect([tool.name, [undefined, 'not_found'].includes(refused)]).toEqual([tool.name, true]);
    }
  });

  it('MER-30.4 asks for confirmation where it publishes, queues, recovers, decides, grants or destroys', () => {
    const asking = tools.filter(({ descriptor: { _meta: meta } }) => meta?.['confirmation'] === 'required');
    expect(asking.map(({ name }) => name)).toEqual([
      'survey_publish',
      'survey_resume',
      'survey_close',
      'builder_queue_task',
      'builder_cancel_task',
      'builder_recover_worker',
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
      'builder_cancel_task',
      'builder_recover_worker',
      'funding_collaborator_grant_create',
      'funding_collaborator_grant_revoke',
      'funding_security_pause',
      'funding_security_resume',
      'funding_inbox_ack',
    ]);
  });

  it('MER-30.6 pages where it lists', () => {
    const lists = tools.filter(({ name }) =>
      /_(list|list_tasks|entries|responses|artifacts|audit|inbox|since)$/.test(name),
    );
    expect(lists).toHaveLength(22);
    for (const { name, descriptor } of lists) {
      const { limit, cursor } = descriptor.inputSchema['properties'] as Record<string, { maximum?: number }>;
      expect([name, limit?.maximum, cursor !== undefined]).toEqual([name, 100, true]);
    }
  });
});
