import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLog } from '@portolan/http';
import { readSettings } from '../config/settings.ts';
import { callIn, mcpServer, offeredIn, resultsIn, talk } from '../testing/opened.ts';
import type { FoundTool } from './found.ts';
import { runtimeServers } from './runtime.ts';
import { RUNTIME_LIMITS } from './shared-server.ts';

const never = new AbortController().signal;

describe('shared MCP servers', () => {
  it('SVE-22.1 serve every visitor over one connection, opened when first needed, with headers of the configuration and nothing of a visitor', async () => {
    const docs = await mcpServer([{ name: 'search' }, { name: 'read' }], { pageSize: 1 });
    const { host, visitorWith, server } = await talk({
      script: '- calls: [{ name: search, args: { q: õäöü 漢字 } }]\n- text: Done.',
      host: [{ name: 'own' }],
      yaml: `mcp: { mcpServers: { docs: { url: '${docs.url}', headers: { Authorization: 'Bearer \${DOCS_TOKEN}', x-team: ports } } } }`,
      environment: { DOCS_TOKEN: 'docs-secret' },
    });
    expect(docs.asked).toEqual([]);
    const visitors = await Promise.all(
      ['visitor-one', 'visitor-two', 'visitor-three'].map((visitor_id) => visitorWith({ visitor_id })),
    );
    const context = { page: 'secret page' };
    const all = await Promise.all(visitors.map((one) => one.stream({ message: { text: 'Find' }, context })));
    expect(all.map(resultsIn)).toEqual([['search: succeeded'], ['search: succeeded'], ['search: succeeded']]);
    expect(docs.methods().filter((method) => method !== 'tools/call')).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
      'tools/list',
    ]);
    expect(docs.calls()).toEqual(Array(3).fill('search {"q":"õäöü 漢字"}'));
    for (const { headers } of docs.asked)
      expect(headers).toMatchObject({ authorization: 'Bearer docs-secret', 'x-team': 'ports' });
    const everything = JSON.stringify(docs.asked);
    for (const secret of ['visitor-', 'secret page', 'sveda_embed_'])
      expect(everything).not.toContain(secret);
    expect(new Set(host.asked.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer visitor-bearer']),
    );
    expect(server.logged.join('')).not.toContain('docs-secret');
  });

  it('SVE-22.2 cost only their own tools when they are dead, and visitor, model and operator are told', async () => {
    const docs = await mcpServer([{ name: 'search' }]);
    const dead = await mcpServer([{ name: 'gone' }]);
    const { url } = dead;
    await dead.close();
    const { visitor, requests, server, diagnostics } = await talk({
      model: (_request, index) =>
        index === 0
          ? {
              calls: [
                { name: 'search', args: {} },
                { name: 'own', args: {} },
              ],
            }
          : { text: 'Done.' },
      host: [{ name: 'own' }],
      yaml: `mcp: { mcpServers: { dead: { url: '${url}' }, docs: { url: '${docs.url}' } } }`,
    });
    const events = await visitor.stream({ message: { text: 'Find' } });
    expect(resultsIn(events).toSorted()).toEqual(['own: succeeded', 'search: succeeded']);
    expect(offeredIn(requests[0])).toEqual(['spawn_tasks', 'own', 'search']);
    expect(events.filter(({ type }) => type === 'notice')).toMatchObject([
      { code: 'tools_unavailable', message: 'The tools of dead are not available at the moment.' },
    ]);
    expect(JSON.stringify(requests[0]?.body)).toContain('The tools of dead are not available at the moment.');
    expect(server.logged.join('')).toContain('runtime MCP server is not available');
    const { failed } = await diagnostics(events[0]?.turnId);
    expect(failed).toEqual([
      { source: 'runtime dead', message: 'The connection to the server failed: ECONNREFUSED.' },
    ]);
  });

  it('SVE-22.3 are asked for confirmation like the host’s, and by the policy', async () => {
    const docs = await mcpServer([{ name: 'drop', _meta: { confirmation: 'required' } }, { name: 'write' }]);
    const { visitor } = await talk({
      script: '- calls: [{ name: drop }, { name: write }]\n- text: Done.',
      yaml: `mcp: { mcpServers: { docs: { url: '${docs.url}' } } }\npolicies: { one: { mcp: { allow: ["*"], confirm: ["docs__write"] } } }`,
      mint: { policy: 'one' },
    });
    const first = await visitor.stream({ message: { text: 'Go' } });
    expect(docs.calls()).toEqual([]);
    const toolDecisions = ['drop', 'write'].map((tool) => ({
      toolCallId: callIn(first, tool),
      decision: 'approve' as const,
    }));
    await visitor.stream({ chatId: first[0]?.chatId, toolDecisions });
    expect(docs.calls().toSorted()).toEqual(['drop {}', 'write {}']);
  });

  it('SVE-22.4 are listed again beside the turns once their list is old, and are let go when they are no longer named', async () => {
    const docs = await mcpServer([{ name: 'search' }]);
    let time = 0;
    const pool = runtimeServers(createLog({ name: 'test', level: 'fatal' }), () => new Date(time));
    const names = async () => {
      const [given] = await pool.open({ docs: { url: docs.url } }, never);
      return given && 'supply' in given ? given.supply.tools.map(({ name }) => name) : given;
    };
    expect(await names()).toEqual(['search']);
    docs.state.tools = [{ name: 'search' }, { name: 'more' }];
    time += RUNTIME_LIMITS.fresh - 1;
    expect(await names()).toEqual(['search']);
    time += 1;
    expect(await names()).toEqual(['search']);
    await expect.poll(names, { interval: 5 }).toEqual(['search', 'more']);
    // Another entry of the same name is another server; one that is no longer named is let go.
    const wiki = await mcpServer([{ name: 'wiki' }]);
    const [changed] = await pool.open({ docs: { url: wiki.url } }, never);
    expect(changed && 'supply' in changed && changed.supply.tools.map(({ name }) => name)).toEqual(['wiki']);
    expect(await pool.open({}, never)).toEqual([]);
    await pool.close();
  });

  it('SVE-22.4 that failed are tried again only after a while, and a lost connection is made anew, without a second call', async () => {
    const docs = await mcpServer([{ name: 'search' }]);
    docs.state.broken = true;
    let time = 0;
    const pool = runtimeServers(createLog({ name: 'test', level: 'fatal' }), () => new Date(time));
    const given = async (at: number) => {
      time = at;
      const [one] = await pool.open({ docs: { url: docs.url } }, never);
      return one && 'supply' in one ? one.supply.tools : one?.failure;
    };
    const failure = 'The server refused the request: HTTP 503.';
    expect(await given(0)).toBe(failure);
    docs.state.broken = false;
    expect(await given(RUNTIME_LIMITS.rest - 1)).toBe(failure);
    const [tool] = (await given(RUNTIME_LIMITS.rest)) as readonly FoundTool[];
    docs.state.broken = true;
    const call = { callId: 'c1', signal: never, progress: () => undefined };
    await expect(tool?.run?.({}, call)).rejects.toThrow(
      `${failure} It says: broken The call may have taken effect.`,
    );
    docs.state.broken = false;
    expect(await given(RUNTIME_LIMITS.rest)).toMatchObject([{ name: 'search' }]);
    expect(docs.methods()).toEqual([
      'initialize',
      'initialize',
      'notifications/initialized',
      'tools/list',
      'tools/call',
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
    await pool.close();
  });

  it('SVE-22.4 that are let go answer the calls that run, and take no further one', async () => {
    let answer: (() => void) | undefined;
    const docs = await mcpServer([{ name: 'search' }], {
      answer: () =>
        new Promise((resolve) => {
          answer = () => resolve({ content: [{ type: 'text', text: 'late' }] });
        }),
    });
    const pool = runtimeServers(createLog({ name: 'test', level: 'fatal' }), () => new Date(0));
    const [given] = await pool.open({ docs: { url: docs.url } }, never);
    const tool = given && 'supply' in given ? given.supply.tools[0] : undefined;
    const call = { callId: 'c1', signal: never, progress: () => undefined };
    const running = tool?.run?.({}, call);
    await expect.poll(() => answer, { interval: 5 }).toBeDefined();
    await pool.open({}, never);
    answer?.();
    expect(await running).toEqual({ content: [{ type: 'text', text: 'late' }] });
    await expect(tool?.run?.({}, call)).rejects.toThrow('no longer used');
    expect(docs.calls()).toHaveLength(1);
    await pool.close();
  });

  it('SVE-22.5 get variables of the environment in their headers, and no secret of this program', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sveda-config-'));
    const file = join(folder, 'sveda.yaml');
    const yaml = (value: string, url = 'https://mcp.example.com/mcp') =>
      `models: [{ provider: demo }]\nmcp: { mcpServers: { docs: { url: '${url}', headers: { Authorization: '${value}' } } } }`;
    const read = async (text: string) => {
      await writeFile(file, text);
      return readSettings({
        SVEDA_CONFIG: file,
        TOKEN: 'abc',
        NASTY: 'a\r\nb',
        SVEDA_APP_KEY: 'an app key of at least thirty-two characters',
      }).configuration.mcp.mcpServers.docs?.headers;
    };
    expect(await read(yaml('Bearer ${TOKEN}'))).toEqual({ Authorization: 'Bearer abc' });
    await expect(read(yaml('Bearer ${SVEDA_APP_KEY}'))).rejects.toThrow(
      'SVEDA_APP_KEY is a secret of this program',
    );
    await expect(read(yaml('Bearer ${NOWHERE}'))).rejects.toThrow('NOWHERE is not set');
    await expect(read(yaml('${NASTY}'))).rejects.toThrow('must be a header value');
    await expect(read(yaml('x', 'file:///etc/passwd'))).rejects.toThrow('must be an http or https URL');
    await rm(folder, { recursive: true });
  });
});
