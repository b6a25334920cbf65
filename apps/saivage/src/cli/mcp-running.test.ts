import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, living } from '@portolan/process/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProjectFolder } from '../project/folder.ts';
import { takeLock } from '../project/lock.ts';
import { EVERYTHING, everything, napOfTest, outwardProject as project } from '../testing/outward.ts';
import { environment, processOfTest } from '../testing/process.ts';
import { apiToken, openTestServer } from '../testing/server.ts';
import { run } from '../testing/terminal.ts';

const withToken = { PATH: environment.PATH, SAIVAGE_API_TOKEN: apiToken };

/** `saivage mcp …` on a project, with the operator's token unless told otherwise. */
function mcp({ root }: ProjectFolder, args: readonly string[], around: Record<string, string> = withToken) {
  return run(['mcp', ...args], { workingFolder: root, environment: around });
}

/** The reference server, which writes a line wherever it is launched. */
function counted(mark: number) {
  const script = `echo up >> launches; exec ${process.execPath} "$0" stdio ${mark}`;
  return { transport: 'stdio', command: 'sh', args: ['-c', script, EVERYTHING] };
}

const launches = ({ root }: ProjectFolder) =>
  existsSync(join(root, 'launches'))
    ? readFileSync(join(root, 'launches'), 'utf8').trim().split('\n').length
    : 0;

/** A server in this process that commands find as the one of its project. */
async function openFound(mcpServers: object, guarded = true) {
  const agents = { courier: { tools: ['mcp_server_register'] } };
  const yaml = JSON.stringify({ agents, mcpServers });
  const server = await openTestServer({ mode: 'internal', guarded, yaml });
  const { owner, giveBack } = await takeLock(server.folder);
  writeFileSync(server.folder.endpoint, JSON.stringify({ ...owner, origin: server.origin }));
  onTestFinished(async () => {
    giveBack();
    await server.close();
  });
  return server;
}

describe('saivage mcp beside a running server', () => {
  it('SAI-7.7 goes through it: one launch, whatever is listed and called', async () => {
    const mark = napOfTest();
    const folder = project({ local: counted(mark) });
    const server = await processOfTest(folder);
    expect((await mcp(folder, ['list'])).out).toBe('local  stopped  stdio');
    expect(launches(folder)).toBe(0);

    const listed = await mcp(folder, ['tools', 'local', '--json']);
    expect(listed.complaint).toBe(
      '"local" now runs in the Saivage of this project; `saivage mcp stop` ends it.',
    );
    expect(JSON.parse(listed.out)).toMatchObject({ tools: { length: 14 } });
    const alive = living(mark).map(({ pid }) => pid);
    expect(alive.length).toBeGreaterThan(0);

    const call = ['call', 'local', 'echo', '--args', '{"message":"hi"}'];
    expect(await mcp(folder, call)).toEqual({ code: 0, out: 'Echo: hi', complaint: '' });
    expect((await mcp(folder, [...call, '--json'])).out).toBe(
      '{"content":[{"type":"text","text":"Echo: hi"}]}',
    );
    expect((await mcp(folder, ['list'])).out).toBe('local  running  stdio  14 tools');
    expect([launches(folder), living(mark).map(({ pid }) => pid)]).toEqual([1, alive]);

    expect((await mcp(folder, ['restart', 'local'])).out).toBe('running, 14 tools');
    expect(launches(folder)).toBe(2);
    expect((await mcp(folder, ['stop', 'local'])).out).toBe('stopped');
    expect(living(mark)).toEqual([]);
    expect((await mcp(folder, ['start', 'local'])).out).toBe('running, 14 tools');
    await server.end('SIGTERM');
    expect([launches(folder), living(mark)]).toEqual([3, []]);
  });

  it('SAI-7.8 wants the token of the running server', async () => {
    const { folder } = await openFound({ local: counted(0) });
    const wants =
      'saivage: The Saivage that runs for this project wants SAIVAGE_API_TOKEN: ' +
      'The operator API wants its token as a bearer.';
    for (const args of [['list'], ['tools', 'local'], ['call', 'local', 'echo'], ['start', 'local']])
      expect(await mcp(folder, args, {})).toEqual({ code: 78, out: '', complaint: wants });
    expect(await mcp(folder, ['tools', 'local'], { SAIVAGE_API_TOKEN: 'another' })).toEqual({
      code: 78,
      out: '',
      complaint: wants.replace(
        'wants SAIVAGE_API_TOKEN:',
        'refuses the SAIVAGE_API_TOKEN of the environment:',
      ),
    });
    expect((await mcp(folder, ['list'], { SAIVAGE_API_TOKEN: 'two words' })).code).toBe(78);
    expect(launches(folder)).toBe(0);
  });

  it('SAI-7.8 can only list where the running server has no token', async () => {
    const { folder } = await openFound({ local: counted(0) }, false);
    expect(await mcp(folder, ['list'], {})).toEqual({ code: 0, out: 'local  stopped  stdio', complaint: '' });
    expect(await mcp(folder, ['start', 'local'], {})).toMatchObject({
      code: 78,
      complaint: expect.stringContaining(
        'needs SAIVAGE_API_TOKEN to be set when the server starts',
      ) as string,
    });
  });

  it('SAI-7.4 says by its exit code who must act, as it does alone', async () => {
    const { folder } = await openFound({
      everything: everything(),
      off: { transport: 'stdio', command: 'node', disabled: true },
      broken: { transport: 'stdio', command: 'sh', args: ['-c', 'exit 3'] },
    });
    const told = async (...args: string[]) => {
      const { code, complaint } = await mcp(folder, args);
      return [code, complaint];
    };
    expect(await told('tools', 'x')).toEqual([64, 'saivage: There is no definition of this server.']);
    expect(await told('tools', 'off')).toEqual([78, expect.stringContaining('is disabled in saivage.yaml')]);
    expect(await told('tools', 'broken')).toEqual([
      1,
      'saivage: The server ended: with exit code 3. Here "broken" is now: error. The server may have acted all the same.',
    ]);
    expect(await told('stop', 'everything')).toEqual([1, expect.stringContaining('never started')]);
    expect((await mcp(folder, ['start', 'everything'])).code).toBe(0);
    expect(await told('call', 'everything', 'nope')).toEqual([
      64,
      'saivage: The MCP server "everything" has no tool "nope".',
    ]);
    expect(await told('call', 'everything', 'echo', '--args', '{"message":5}')).toEqual([
      64,
      expect.stringContaining('/message must be string'),
    ]);
    const fails = ['call', 'everything', 'gzip-file-as-resource', '--args', '{"data":"http://127.0.0.1:1/"}'];
    expect(await mcp(folder, fails)).toMatchObject({
      code: 1,
      out: expect.stringContaining('The tool reports an error.') as string,
    });
  });

  it('SAI-42.2 is not led by a definition to the running server itself', async () => {
    const server = await openFound({});
    const connection = {
      transport: 'streamable-http',
      url: `${server.origin.replace('127.0.0.1', 'localhost')}/mcp`,
    };
    const context = { callId: '1', signal: new AbortController().signal, progress: () => undefined };
    const courier = server.agents.get('courier');
    await courier?.tools.call('mcp_server_register', { serverName: 'self', connection }, context);
    expect(await mcp(server.folder, ['tools', 'self'])).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('the address is one of our own listeners') as string,
    });
  });
});

describe('saivage mcp where it is not certain that no server runs', () => {
  it('SAI-7.7 launches nothing while one is starting or stopping', async () => {
    const folder = project({ local: counted(0) });
    const { owner, giveBack } = await takeLock(folder);
    onTestFinished(giveBack);
    for (const args of [['list'], ['tools', 'local'], ['call', 'local', 'echo'], ['stop', 'local']])
      expect(await mcp(folder, args)).toEqual({
        code: 75,
        out: '',
        complaint: `saivage: Saivage is just starting or stopping here, as process ${owner.pid}.`,
      });
    expect(launches(folder)).toBe(0);
  });

  it('SAI-7.7 launches nothing beside an owner that it cannot judge', async () => {
    const folder = project({ local: counted(0) });
    writeFileSync(folder.lock, 'torn');
    expect(await mcp(folder, ['tools', 'local'])).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('It is not certain that no Saivage runs for this project') as string,
    });
    expect(launches(folder)).toBe(0);
  });

  it('says when the server that should be there does not answer', async () => {
    const folder = project({ local: counted(0) });
    const { owner, giveBack } = await takeLock(folder);
    onTestFinished(giveBack);
    const origin = `http://127.0.0.1:${await freePort()}`;
    writeFileSync(folder.endpoint, JSON.stringify({ ...owner, origin }));
    expect(await mcp(folder, ['list'])).toMatchObject({
      code: 75,
      complaint: expect.stringContaining('The running Saivage does not answer') as string,
    });
  });

  it('has no lifecycle to offer where none runs', async () => {
    const folder = project({ local: counted(0) });
    for (const action of ['start', 'stop', 'restart'])
      expect(await mcp(folder, [action, 'local'])).toMatchObject({
        code: 1,
        complaint: expect.stringContaining('No Saivage runs for this project.') as string,
      });
    expect(launches(folder)).toBe(0);
  });
});

it('SAI-7.9 what agents have defined is listed and called alone too', async () => {
  const folder = project({ far: { transport: 'streamable-http', url: 'https://example.com/mcp' } });
  const { command, args } = everything();
  const servers = { near: { transport: 'stdio', command, args } };
  mkdirSync(folder.config, { recursive: true });
  const file = join(folder.config, 'mcp-servers.json');
  writeFileSync(file, JSON.stringify({ format_version: 1, servers }));
  expect((await mcp(folder, ['list'])).out.split('\n')).toEqual([
    'far   enabled  https://example.com/mcp',
    expect.stringMatching(/^near {2}enabled {2}.*node /),
  ]);
  expect((await mcp(folder, ['call', 'near', 'echo', '--args', '{"message":"hi"}'])).out).toBe('Echo: hi');
  writeFileSync(file, JSON.stringify({ format_version: 1, servers: { far: servers.near } }));
  expect(await mcp(folder, ['list'])).toEqual({
    code: 78,
    out: '',
    complaint: expect.stringContaining('An agent has defined a server of this name too') as string,
  });
});
