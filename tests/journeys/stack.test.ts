import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { familyOf, living, livingIn, runStack, startStack, temporaryHome } from './stack.ts';
import type { RunningStack, StackJson } from './stack.ts';

let home: string;
let stack: RunningStack;
let told: StackJson;

/** One stack for all tests, which run in this order: what a start leaves is what the next one finds. */
beforeAll(async () => {
  home = await temporaryHome();
  stack = await startStack(home);
  told = JSON.parse(await readFile(join(home, 'stack.json'), 'utf8')) as StackJson;
});

afterAll(() => stack.destroy());

/** Connects as an MCP client does that was given one of the written configurations. */
async function connect(name: string): Promise<Client> {
  const text = await readFile(join(home, 'clients', 'mcp.json'), 'utf8');
  const { mcpServers } = JSON.parse(text) as {
    mcpServers: Record<string, { type: string; url: string; headers?: Record<string, string> }>;
  };
  const server = mcpServers[name];
  if (server?.type !== 'http') throw new Error(`${name} is not configured`);
  const requestInit = { headers: server.headers ?? {} };
  const client = new Client({ name: 'journey', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
  return client;
}

const secrets = async () =>
  JSON.parse(await readFile(join(home, 'secrets.json'), 'utf8')) as Record<string, string>;

/** When an app was last told to end, by its log. */
async function stopOf(app: string): Promise<number> {
  const lines = (await readFile(join(home, 'logs', `${app}.log`), 'utf8')).split('\n');
  const line = lines.findLast((text) => text.includes('"msg":"stopping"')) ?? '{}';
  return Date.parse((JSON.parse(line) as { time: string }).time);
}

describe('the stack', () => {
  it('says where everything is, and no secret', async () => {
    expect(Object.keys(told)).toEqual(['sveda', 'mervare', 'saivage', 'pid']);
    expect(told.pid).toBe(stack.pid);
    for (const text of [
      `${told.mervare.origin}/api/mcp/discovery`,
      told.saivage.origin,
      told.saivage.analystUrl,
      join(home, 'secrets.json'),
      join(home, 'clients', 'mcp.json'),
      join(home, 'clients', 'vscode-mcp.json'),
    ])
      expect(stack.printed()).toContain(text);
    const values = Object.values(await secrets());
    expect(values).toHaveLength(5);
    for (const value of values) expect(stack.printed()).not.toContain(value);
  });

  it('opens the site to a browser and to any MCP client', async () => {
    expect((await fetch(`${told.mervare.origin}/harbours`)).status).toBe(200);
    const client = await connect('mervare-harbours');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('harbour_search');
    const found = await client.callTool({ name: 'harbour_search', arguments: { query: 'Tallinn' } });
    expect(JSON.stringify(found.structuredContent)).toContain('Tallinn');
    await client.close();
  });

  it('MER-27.6 makes the first super admin, with the password that it keeps', async () => {
    const { MERVARE_ADMIN_PASSWORD: password = '' } = await secrets();
    const answer = await fetch(`${told.mervare.origin}/login`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ email: 'admin@localhost', password }),
    });
    expect(answer.status).toBe(303);
  });

  it('opens every operation of the Analyst to the client that it has configured', async () => {
    const client = await connect('saivage-analyst');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['get_status', 'show_config', 'read']),
    );
    const file = await client.callTool({ name: 'read', arguments: { path: 'README.md' } });
    expect(JSON.stringify(file.structuredContent)).toContain('# Tide table');
    await client.close();
    expect((await fetch(told.saivage.analystUrl, { method: 'POST' })).status).toBe(401);
  });

  it.each(['stack.json', 'secrets.json', 'clients/mcp.json', 'clients/vscode-mcp.json', 'logs/mervare.log'])(
    'keeps %s for its owner only',
    async (file) => {
      expect(((await stat(join(home, file))).mode & 0o777).toString(8)).toBe('600');
    },
  );

  it('hands a secret to the apps that need it, and to no other process', async () => {
    const entitled: Record<string, string[]> = {
      SAIVAGE_API_TOKEN: ['saivage'],
      SAIVAGE_ANALYST_MCP_TOKEN: ['saivage'],
      SVEDA_APP_KEY: ['sveda'],
      SVEDA_EMBED_HOST_API_KEY: ['mervare', 'sveda'],
      MERVARE_ADMIN_PASSWORD: ['mervare'],
    };
    for (const [name, value] of Object.entries(await secrets())) {
      const holders = livingIn(home).filter(({ environment }) => environment.includes(`${name}=${value}`));
      const names = holders.map(({ command }) => /bin\/(\w+)\.mjs/.exec(command)?.[1]);
      expect(new Set(names)).toEqual(new Set(entitled[name]));
      const told = livingIn(home).filter(({ command }) => command.includes(value));
      expect(told).toEqual([]);
    }
  });

  it('hands no variable of its own to the apps that they do not need', () => {
    const holders = livingIn(home).filter(({ environment }) =>
      environment.includes('UNRELATED_KEY=of the person'),
    );
    expect(holders.map(({ pid }) => pid)).toEqual([stack.pid]);
  });

  it('says so when it runs already, to a start and to a reset, and goes on', async () => {
    expect(await runStack(home, 'start')).toMatchObject({
      code: 1,
      complained: `stack: A stack runs in ${home} already. It is process ${stack.pid}.\n`,
    });
    expect(await runStack(home, 'reset')).toMatchObject({
      code: 1,
      complained: `stack: A stack runs in ${home}: end it first.\n`,
    });
    expect((await runStack(home, 'status')).printed).toContain(
      `saivage analystUrl: ${told.saivage.analystUrl}\n`,
    );
    expect((await fetch(`${told.mervare.origin}/health`)).status).toBe(200);
  });

  it('leaves no process and no stack.json on SIGTERM', async () => {
    const family = familyOf(stack.pid);
    expect(family.length).toBeGreaterThanOrEqual(5);
    expect(await stack.end('SIGTERM')).toBe(0);
    expect(living(family)).toEqual([]);
    expect(livingIn(home)).toEqual([]);
    expect((await runStack(home, 'status')).printed).toBe('stopped\n');
    await expect(stat(join(home, 'stack.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('leaves no process when it is killed', async () => {
    const before = await secrets();
    stack = await startStack(home);
    expect(await secrets()).toEqual(before);
    const family = familyOf(stack.pid);
    expect(family.length).toBeGreaterThanOrEqual(5);
    expect(await stack.end('SIGKILL')).toBe('SIGKILL');
    await expect.poll(() => living(family)).toEqual([]);
    await expect.poll(() => livingIn(home)).toEqual([]);
  });

  it('starts again after it was killed, and ends in order on Ctrl-C', async () => {
    stack = await startStack(home);
    const family = familyOf(stack.pid);
    expect(await stack.interrupt()).toBe(0);
    expect(living(family)).toEqual([]);
    const [site, agents] = await Promise.all(['mervare', 'saivage'].map(stopOf));
    expect(agents).toBeLessThan(site ?? 0);
  });

  it('is reset to nothing, but for what is not its own', async () => {
    await writeFile(join(home, 'note.txt'), 'mine');
    expect((await runStack(home, 'reset')).printed).toBe(`${home} keeps what is not ours: note.txt\n`);
    await expect(stat(join(home, 'secrets.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('refuses what it does not understand before it does anything', async () => {
    const fresh = join(home, 'fresh');
    expect((await runStack(fresh, 'begin')).code).toBe(64);
    expect((await runStack(fresh, 'start', '--loud')).code).toBe(64);
    const misconfigured = await runStack(fresh, 'start', { SAIVAGE_PORT: 'eighty' });
    expect(misconfigured).toMatchObject({
      code: 78,
      complained: 'stack: SAIVAGE_PORT must be a port, 0 to 65535.\n',
    });
    await expect(stat(fresh)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
