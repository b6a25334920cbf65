import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MintBody, PolicyDocument } from '@sveda-ai/protocol';
import { callIn, mcpServer, offeredIn, resultsIn, talk, type Model } from '../testing/opened.ts';
import { refusalOf } from '../testing/sveda.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sveda-root-'));
  await writeFile(join(root, 'a.ts'), 'export const a = 1;\n');
});
afterAll(() => rm(root, { recursive: true }));

const ports = (name: string, mode?: string, domain = 'ports') => ({ name, _meta: { mode, domain } });
const host = [
  ports('h_read', 'read'),
  ports('h_write', 'write'),
  ports('h_delete', 'delete'),
  ports('h_odd', 'burn', 'mail'),
];
const page = { name: 'p_mark', description: 'Marks.', parameters: { type: 'object' } };

const policies: Readonly<Record<string, PolicyDocument>> = {
  nothing: {},
  web: { web: true },
  code: { code: true },
  page: { client: { allow: ['p_*'] } },
  mcp: { mcp: { allow: ['*'] } },
  hosts: { mcp: { allow: ['h_*'] } },
  servers: { mcp: { allow: ['docs__*'] } },
  readers: { mcp: { allow: ['*'], maxMode: 'read' } },
  writers: { mcp: { allow: ['*'], maxMode: 'write' } },
  deleters: { mcp: { allow: ['*'], maxMode: 'delete' } },
  ports: { mcp: { allow: ['*'], domains: ['ports'] } },
  others: { mcp: { allow: ['*'], domains: ['mail', 'other'] } },
  denied: { mcp: { allow: ['*'], deny: ['*_write', 'r_read'] } },
  every: { web: true, code: true, mcp: { allow: ['*'] }, client: { allow: ['*'] } },
};

const code = ['search_code', 'read_code_file'];
const web = ['web_fetch', 'web_search'];
const hosts = ['h_read', 'h_write', 'h_delete', 'h_odd'];
const servers = ['r_read', 'r_write', 'r_plain'];
const everything = [...code, ...web, 'spawn_tasks', ...hosts, ...servers, 'p_mark'];

/** Policy, grants, and exactly what is offered: every source of tools stands in each row. */
const rows: readonly [string | undefined, MintBody['grants'], readonly string[]][] = [
  [undefined, undefined, everything],
  ['every', undefined, everything],
  ['nothing', undefined, []],
  ['web', undefined, web],
  ['code', undefined, code],
  ['page', undefined, ['p_mark']],
  ['mcp', undefined, ['spawn_tasks', ...hosts, ...servers]],
  ['hosts', undefined, ['spawn_tasks', ...hosts]],
  ['servers', undefined, servers],
  ['readers', undefined, ['spawn_tasks', 'h_read', 'r_read', 'r_plain']],
  ['writers', undefined, ['spawn_tasks', 'h_read', 'h_write', 'r_read', 'r_write', 'r_plain']],
  ['deleters', undefined, ['spawn_tasks', 'h_read', 'h_write', 'h_delete', 'r_read', 'r_write', 'r_plain']],
  ['ports', undefined, ['spawn_tasks', 'h_read', 'h_write', 'h_delete', 'r_read']],
  ['others', undefined, ['spawn_tasks', 'h_odd', 'r_write', 'r_plain']],
  ['denied', undefined, ['spawn_tasks', 'h_read', 'h_delete', 'h_odd', 'r_plain']],
  // Grants alone restrict like a policy.
  [undefined, {}, []],
  [undefined, { web: true }, web],
  [undefined, { code: true }, code],
  [undefined, { client: { allow: ['*'] } }, ['p_mark']],
  [undefined, { mcp: { allow: ['h_read', 'r_*'] } }, ['spawn_tasks', 'h_read', ...servers]],
  // Both hold, each by itself: neither widens the other.
  ['every', {}, []],
  ['every', { web: true }, web],
  [
    'every',
    { mcp: { allow: ['*_read'] }, client: { allow: ['*'] } },
    ['spawn_tasks', 'h_read', 'r_read', 'p_mark'],
  ],
  ['nothing', policies.every, []],
  ['web', { code: true }, []],
  ['web', policies.every, web],
  ['page', { client: { allow: ['q_*'] } }, []],
  ['hosts', { mcp: { allow: ['*_read'] } }, ['spawn_tasks', 'h_read']],
  ['servers', { mcp: { allow: ['h_*'] } }, []],
  ['readers', { mcp: { allow: ['*'], maxMode: 'delete' } }, ['spawn_tasks', 'h_read', 'r_read', 'r_plain']],
  ['deleters', { mcp: { allow: ['*'], maxMode: 'read' } }, ['spawn_tasks', 'h_read', 'r_read', 'r_plain']],
  ['ports', { mcp: { allow: ['*'], domains: ['mail'] } }, []],
  ['denied', { mcp: { allow: ['*'], deny: ['h_*'] } }, ['r_plain']],
];

async function everySource(model: Model) {
  const docs = await mcpServer([
    ports('r_read', 'read'),
    ports('r_write', 'write', 'mail'),
    { name: 'r_plain' },
  ]);
  const yaml = [
    `policies: ${JSON.stringify(policies)}`,
    `mcp: { mcpServers: { docs: { url: '${docs.url}' } } }`,
    "web: { search: { url: 'http://127.0.0.1:9/?q={query}' } }",
  ].join('\n');
  return talk({ host, yaml, environment: { SVEDA_INDEX_ROOT: root }, model });
}

describe('policies', () => {
  it('SVE-26.1 offer exactly what host, policy and grants allow together, source by source', async () => {
    const { visitorWith, requests } = await everySource(() => ({ text: 'Hello.' }));
    const offeredAt = async ([policy, grants]: (typeof rows)[number], row: number) => {
      const one = await visitorWith({ visitor_id: `v${row}`, policy, grants });
      await one.stream({ message: { text: `This is row ${row}.` }, clientTools: [page] });
      const request = requests.find(({ body }) => JSON.stringify(body).includes(`This is row ${row}.`));
      return [policy, grants, offeredIn(request)];
    };
    const seen: unknown[] = [];
    // A few at once: sources are waited for only so long.
    for (let at = 0; at < rows.length; at += 6)
      seen.push(...(await Promise.all(rows.slice(at, at + 6).map((row, n) => offeredAt(row, at + n)))));
    expect(seen).toEqual(rows);
  });

  it('SVE-26.2 are asked again before a decided call is sent: what they no longer allow is not', async () => {
    const script = '- calls: [{ name: h_delete, args: { id: 1 } }]\n- text: Well.';
    const yaml = 'policies: { one: { mcp: { allow: ["*"], confirm: ["h_*"] } } }';
    const {
      host: server,
      server: sveda,
      visitor,
    } = await talk({ script, host, yaml, mint: { policy: 'one' } });
    const first = await visitor.stream({ message: { text: 'Delete' } });
    expect(first.find(({ type }) => type === 'tool.call')).toMatchObject({ confirmation: 'required' });
    change(sveda.configFile, '"*"', '"*_read"');
    expect(sveda.reload()).toEqual({ reloaded: true });
    const toolCallId = callIn(first, 'h_delete');
    const second = await visitor.stream({
      chatId: first[0]?.chatId,
      toolDecisions: [{ toolCallId, decision: 'approve' }],
    });
    expect(resultsIn(second)).toEqual(['h_delete: refused']);
    expect(server.calls()).toEqual([]);
  });

  it('SVE-26.3 are asked again at execution: a call that was offered a moment ago is refused once they deny it', async () => {
    const reload: (() => void)[] = [];
    const {
      host: server,
      server: sveda,
      visitor,
    } = await talk({
      host,
      yaml: 'policies: { one: { mcp: { allow: ["*"] } } }',
      mint: { policy: 'one' },
      model: (_request, index) => {
        reload.pop()?.();
        return index === 0
          ? {
              calls: [
                { name: 'h_write', args: {} },
                { name: 'h_read', args: {} },
              ],
            }
          : { text: 'Well.' };
      },
    });
    reload.push(() => {
      change(sveda.configFile, 'allow: ["*"]', 'allow: ["*"], maxMode: read, confirm: ["h_read"]');
      sveda.reload();
    });
    const events = await visitor.stream({ message: { text: 'Write' } });
    expect(resultsIn(events).toSorted()).toEqual(['h_read: failed', 'h_write: failed']);
    expect(server.calls()).toEqual([]);
  });

  it('SVE-26.4 can add a confirmation and never take one away', async () => {
    const script = '- calls: [{ name: free }, { name: asked }, { name: guarded }]\n- text: Well.';
    const tools = [
      { name: 'free' },
      { name: 'asked' },
      { name: 'guarded', _meta: { confirmation: 'required' } },
    ];
    const yaml = 'policies: { one: { mcp: { allow: ["*"], confirm: ["asked"] } } }';
    const mint = { policy: 'one', grants: { mcp: { allow: ['*'], confirm: [] } } };
    const { visitor, host: server } = await talk({ script, host: tools, yaml, mint });
    const events = await visitor.stream({ message: { text: 'All' } });
    const asked = events.flatMap((event) =>
      event.type === 'tool.call' && event.confirmation ? [event.toolName] : [],
    );
    expect(asked).toEqual(['asked', 'guarded']);
    expect(server.calls()).toEqual(['free {}']);
  });

  it('SVE-26.5 that are gone leave nothing allowed: each request of their tokens is 403', async () => {
    const yaml = 'policies: { one: { mcp: { allow: ["*"] } } }';
    const { server, visitor } = await talk({ host, yaml, mint: { policy: 'one' } });
    change(server.configFile, 'one:', 'two:');
    server.reload();
    const answers = [
      await visitor.post({ message: { text: 'Hi' } }),
      await fetch(new URL('/sveda/embed/config', server.origin), { headers: visitor.headers }),
    ];
    expect(await Promise.all(answers.map(refusalOf))).toEqual([
      [403, 'policy_gone'],
      [403, 'policy_gone'],
    ]);
  });

  it('SVE-26.6 are told to the page: what this token may do', async () => {
    const yaml = `policies: ${JSON.stringify(policies)}\nweb: {}`;
    const { server, visitorWith } = await talk({ yaml });
    const told = async (mint: MintBody) => {
      const { headers } = await visitorWith(mint);
      const answer = await fetch(new URL('/sveda/embed/config', server.origin), { headers });
      return (await answer.json()) as { capabilities: object };
    };
    expect(await told({})).toEqual({
      visitorId: 'v1',
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      models: ['scripted'],
      capabilities: { restricted: false, web: true, code: false, mcp: [], client: [] },
    });
    expect(
      (await told({ policy: 'readers', grants: { web: true, mcp: { allow: ['a'] } } })).capabilities,
    ).toEqual({
      restricted: true,
      web: false,
      code: false,
      mcp: [{ allow: ['*'], maxMode: 'read' }, { allow: ['a'] }],
      client: [{ allow: [] }, { allow: [] }],
    });
    expect((await told({ policy: 'every' })).capabilities).toMatchObject({ web: true, code: false });
    expect((await fetch(new URL('/sveda/embed/config', server.origin))).status).toBe(401);
  });
});

function change(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}
