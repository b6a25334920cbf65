import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { freePort, living } from '@portolan/process/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProcess } from '../testing/command.ts';
import { EVERYTHING, everything, napOfTest, outwardProject as project } from '../testing/outward.ts';
import { environment } from '../testing/process.ts';
import { run } from '../testing/terminal.ts';

const shell = (script: string) => ({ transport: 'stdio', command: 'sh', args: ['-c', script] });

describe('saivage mcp', () => {
  it('SAI-7.1 lists the servers without their secrets and starts none', async () => {
    const folder = project({
      local: { transport: 'stdio', command: 'nowhere', args: ['--token', 'abc'], env: { KEY: 'hidden' } },
      far: { transport: 'streamable-http', url: 'https://example.com/mcp?key=k', disabled: true },
    });
    expect((await run(['mcp', 'list'], { workingFolder: folder.root })).out).toBe(
      [
        'local  enabled   nowhere --token [redacted]',
        'far    disabled  https://example.com/mcp?redacted',
      ].join('\n'),
    );
    const { out } = await run(['mcp', 'list', '--json'], { workingFolder: folder.root });
    expect(JSON.parse(out)).toMatchObject([
      { serverName: 'local', env: { KEY: '[redacted]' } },
      { serverName: 'far', disabled: true },
    ]);
  });

  it('SAI-7.2 reads the whole catalog, takes no lock, opens no database and leaves nothing', async () => {
    const mark = napOfTest();
    const folder = project({ everything: everything(mark) });
    const { code, out } = await runProcess(['mcp', 'tools', 'everything', '--json'], folder).ran;
    expect(living(mark)).toEqual([]);
    const { tools } = JSON.parse(out) as { tools: { name: string; inputSchema: object }[] };
    // The last two are there only for a client that offers roots.
    expect([code, tools.map(({ name }) => name)]).toEqual([
      0,
      [
        'echo',
        'get-annotated-message',
        'get-env',
        'get-resource-links',
        'get-resource-reference',
        'get-structured-content',
        'get-sum',
        'get-tiny-image',
        'gzip-file-as-resource',
        'toggle-simulated-logging',
        'toggle-subscriber-updates',
        'trigger-long-running-operation',
        'get-roots-list',
        'simulate-research-query',
      ],
    ]);
    expect(tools[0]?.inputSchema).toMatchObject({ type: 'object', required: ['message'] });
    expect([existsSync(folder.data), readdirSync(folder.locks)]).toEqual([false, []]);
  });

  it('SAI-7.3 prints a result as text or as it was sent, and fails with the tool', async () => {
    const folder = project({ everything: everything() });
    const call = (...args: string[]) =>
      run(['mcp', 'call', 'everything', ...args], { workingFolder: folder.root });
    expect(await call('echo', '--args', '{"message":"hi\\u001b[2J"}')).toEqual({
      code: 0,
      out: 'Echo: hi\\u001b[2J',
      complaint: '',
    });
    expect((await call('echo', '--args={"message":"hi"}', '--json')).out).toBe(
      '{"content":[{"type":"text","text":"Echo: hi"}]}',
    );
    expect((await call('get-tiny-image')).out.split('\n')[1]).toBe('[image/png, 4033 bytes]');
    const { out } = await call('get-structured-content', '--args', '{"location":"New York"}');
    expect(out).toContain('{\n  "temperature": 33,\n  "conditions": "Cloudy",\n  "humidity": 82\n}');
    const failed = await call('gzip-file-as-resource', '--args', '{"data":"http://127.0.0.1:1/"}');
    expect([failed.code, failed.out.split('\n')[0]]).toEqual([1, 'The tool reports an error.']);
  });

  it('SAI-30.1 SAI-30.2 a child gets a small base and its own env, never our secrets, and works in the project', async () => {
    const folder = project({
      everything: { ...everything(), env: { OWN: 'a ${HOME}' } },
      here: shell('pwd >&2; exit 3'),
    });
    const { out } = await runProcess(['mcp', 'call', 'everything', 'get-env'], folder).ran;
    const { PATH, HOME } = environment;
    expect(JSON.parse(out)).toEqual({ PATH, HOME, OWN: `a ${HOME}` });
    const roots = await runProcess(['mcp', 'call', 'everything', 'get-roots-list'], folder).ran;
    expect(roots.out).toContain('(1 total)');
    expect(roots.out).toContain(`URI: file://${folder.root}\n`);
    expect((await runProcess(['mcp', 'tools', 'here'], folder).ran).complaint).toBe(
      [
        'saivage: The MCP server "here" failed to start, in the phase initialize. The server ended: with exit code 3.',
        'The last that it wrote to stderr:',
        folder.root,
      ].join('\n'),
    );
  });

  it('SAI-7.3 SAI-30.2 calls over HTTP, and offers no root there', async () => {
    const port = await freePort();
    const env = { PATH: environment.PATH, PORT: String(port) };
    const server = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], { env });
    onTestFinished(() => void server.kill('SIGKILL'));
    await untilSaid(server.stderr, 'listening on port');
    const folder = project({ web: { transport: 'streamable-http', url: `http://127.0.0.1:${port}/mcp` } });
    const call = (...args: string[]) => run(['mcp', 'call', 'web', ...args], { workingFolder: folder.root });
    expect(await call('echo', '--args', '{"message":"hi"}')).toEqual({
      code: 0,
      out: 'Echo: hi',
      complaint: '',
    });
    // The server has this tool only for a client that offers roots.
    expect((await call('get-roots-list')).complaint).toBe(
      'saivage: The MCP server "web" has no tool "get-roots-list".',
    );
  });

  it('SAI-30.3 refuses a value that names a token of ours, and starts nothing', async () => {
    const folder = project({ x: { ...shell('exit 3'), env: { A: '${SAIVAGE_API_TOKEN}' } } });
    const environment = { SAIVAGE_API_TOKEN: 'abc' };
    const ran = await run(['mcp', 'tools', 'x'], { workingFolder: folder.root, environment });
    expect([ran.code, ran.complaint]).toEqual([
      78,
      expect.stringContaining('The environment variable SAIVAGE_API_TOKEN is a secret of this program.'),
    ]);
  });

  it('SAI-7.4 says by its exit code who must act', async () => {
    const folder = project({
      everything: everything(),
      off: { ...shell('exit 0'), disabled: true },
      none: { transport: 'stdio', command: 'no-such-command' },
    });
    const told = async (...args: string[]) => {
      const { code, complaint } = await run(['mcp', ...args], {
        workingFolder: folder.root,
        environment: { PATH: environment.PATH },
      });
      return [code, complaint];
    };
    expect(await told()).toEqual([
      64,
      'saivage: Name a command of mcp: list, tools, call, start, stop, restart, import.',
    ]);
    expect(await told('tools')).toEqual([64, "saivage: Missing required argument 'server'."]);
    expect(await told('tools', 'x', 'y')).toEqual([64, 'saivage: The command tools takes fewer arguments.']);
    expect(await told('tools', 'x')).toEqual([64, 'saivage: There is no MCP server "x".']);
    expect(await told('tools', 'off')).toEqual([
      78,
      'saivage: The MCP server "off" is disabled in saivage.yaml.',
    ]);
    expect(await told('tools', 'none')).toEqual([
      1,
      'saivage: The MCP server "none" failed to start, in the phase spawn. The server could not be started: ' +
        'The command "no-such-command" is not on the PATH of its environment.',
    ]);
    for (const args of ['{', '[]', 'null', '"x"']) {
      expect(await told('call', 'everything', 'echo', '--args', args)).toEqual([
        64,
        'saivage: --args must be a JSON object.',
      ]);
    }
    expect(await told('call', 'everything', 'nope')).toEqual([
      64,
      'saivage: The MCP server "everything" has no tool "nope".',
    ]);
    expect(await told('call', 'everything', 'echo', '--args', '{"message":5}')).toEqual([
      64,
      'saivage: The arguments do not fit the schema of the tool.\n/message must be string',
    ]);
  });
});

async function untilSaid(output: Readable, words: string): Promise<void> {
  let said = '';
  for await (const chunk of output) {
    said += String(chunk);
    if (said.includes(words)) return;
  }
  throw new Error(`It ended without "${words}".`);
}
