import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspectLock, takeLock } from '../project/lock.ts';
import { folderOfTest, makeProject } from '../testing/project.ts';
import { run } from '../testing/terminal.ts';

describe('the command line', () => {
  const wrong: [name: string, args: string[], sentence: string][] = [
    ['no command', [], 'Name a command: init, start, status, check, reset, mcp.'],
    ['an unknown command', ['begin'], "Unknown command 'begin'."],
    ['an unknown option', ['init', '--force'], "Unknown option '--force'."],
    ['a shortened option', ['start', '--hos', 'x'], "Unknown option '--hos'."],
    ['an option of another command', ['status', '--host', 'x'], "Unknown option '--host'."],
    ['an option before the command', ['--project-root', '.', 'init'], "Unknown option '--project-root'."],
    ['a stray argument', ['init', 'here'], 'The command init takes no arguments, only options.'],
    [
      'a stray argument behind --',
      ['init', '--', '--json'],
      'The command init takes no arguments, only options.',
    ],
    [
      'an option twice',
      ['init', '--project-root', '.', '--project-root', '/'],
      '--project-root is given twice.',
    ],
    [
      'an option twice, equally',
      ['init', '--project-root=.', '--project-root=.'],
      '--project-root is given twice.',
    ],
    ['a switch twice', ['check', '--json', '--json'], '--json is given twice.'],
    ['a switch with a value', ['check', '--json=1'], "Unknown option '--json=1'."],
    ['an option without a value', ['init', '--project-root'], '--project-root needs a value.'],
    ['an option with an empty value', ['init', '--project-root='], '--project-root needs a value.'],
    ['an option in place of a value', ['start', '--host', '--port', '1'], '--host needs a value.'],
    ['a port that is none', ['start', '--port', '8O80'], '--port must be a port from 0 to 65535.'],
    ['a port too high', ['start', '--port', '65536'], '--port must be a port from 0 to 65535.'],
    [
      'a mode that is none',
      ['start', '--analyst-mode', 'open'],
      '--analyst-mode must be internal, external or both.',
    ],
    [
      'a folder that is none',
      ['init', '--project-root', 'nowhere'],
      '--project-root names no folder: nowhere',
    ],
  ];

  it.each(wrong)(
    'SAI-1.1 refuses %s with 64 and one sentence, and writes nothing',
    async (_, args, sentence) => {
      const { root } = folderOfTest();
      expect(await run(args, { workingFolder: root })).toEqual({
        code: 64,
        out: '',
        complaint: `saivage: ${sentence}`,
      });
      expect(readdirSync(root)).toEqual([]);
    },
  );

  it('SAI-1.2 takes the project from the flag, else the variable, else the working directory', async () => {
    const [flag, variable, here] = [0, 1, 2].map(() => makeProject(folderOfTest()));
    const environment = { SAIVAGE_PROJECT_ROOT: variable?.root ?? '' };
    const rootOf = async (args: string[], env: Record<string, string>) => {
      const { out } = await run(['check', '--json', ...args], {
        workingFolder: here?.root ?? '',
        environment: env,
      });
      return (JSON.parse(out) as { project: { root: string } }).project.root;
    };
    expect(await rootOf(['--project-root', flag?.root ?? ''], environment)).toBe(flag?.root);
    expect(await rootOf([], environment)).toBe(variable?.root);
    expect(await rootOf([], {})).toBe(here?.root);
  });

  it('SAI-1.2 finds the project behind a symbolic link, and refuses a variable that names none', async () => {
    const project = makeProject(folderOfTest());
    const { root } = folderOfTest();
    symlinkSync(project.root, join(root, 'link'));
    const { out } = await run(['check'], { workingFolder: join(root, 'link') });
    expect(out).toContain(`The configuration of ${realpathSync(project.root)} is in order.`);
    for (const variable of ['', 'nowhere']) {
      const ran = await run(['check'], {
        workingFolder: root,
        environment: { SAIVAGE_PROJECT_ROOT: variable },
      });
      expect(ran).toMatchObject({
        code: 78,
        complaint: `saivage: SAIVAGE_PROJECT_ROOT names no folder: "${variable}"`,
      });
    }
  });
});

describe('saivage start', () => {
  it('SAI-1.3 wants a project and a right configuration, and writes nothing without', async () => {
    const empty = folderOfTest();
    expect(await run(['start'], { workingFolder: empty.root })).toMatchObject({
      code: 78,
      complaint: `saivage: There is no ${empty.identity}. Run \`saivage init\` first.`,
    });
    expect(readdirSync(empty.root)).toEqual([]);
    const wrong = makeProject(folderOfTest(), 'sever: 1\nport: 2\n');
    expect(await run(['start'], { workingFolder: wrong.root })).toMatchObject({
      code: 78,
      complaint: [
        `saivage: ${wrong.yaml} has 2 faults.`,
        'saivage.yaml:1:1 sever This key is unknown.',
        'saivage.yaml:2:1 port This key is unknown.',
      ].join('\n'),
    });
    expect([existsSync(wrong.data), readdirSync(wrong.locks)]).toEqual([false, []]);
  });

  it.each([
    ['0.0.0.0', {}],
    ['192.0.2.1', {}],
    ['::', {}],
    ['127.0.0.1.example.com', {}],
  ])('SAI-5.1 refuses %s without SAIVAGE_API_TOKEN', async (host, environment) => {
    const { root, locks } = makeProject(folderOfTest());
    const ran = await run(['start', '--host', host], { workingFolder: root, environment });
    expect(ran).toMatchObject({
      code: 78,
      complaint: `saivage: Without SAIVAGE_API_TOKEN the server binds loopback only, not ${host}.`,
    });
    expect(readdirSync(locks)).toEqual([]);
  });

  it('SAI-5.1 refuses another host from the configuration as well', async () => {
    const { root } = makeProject(folderOfTest(), 'server: { host: 0.0.0.0 }\n');
    expect((await run(['start'], { workingFolder: root })).code).toBe(78);
  });

  it('ends with 78 and names a folder of the project that cannot hold data', async () => {
    for (const name of ['locks', 'data'] as const) {
      const project = makeProject(folderOfTest());
      rmSync(project[name], { recursive: true, force: true });
      writeFileSync(project[name], '');
      expect(await run(['start'], { workingFolder: project.root })).toMatchObject({
        code: 78,
        complaint: `saivage: ${project[name]} cannot hold our data: it is a file.`,
      });
    }
  });

  it('SAI-5.2 refuses a token that is blank or padded', async () => {
    const { root } = makeProject(folderOfTest());
    for (const SAIVAGE_API_TOKEN of ['', ' ', ' x', 'x ']) {
      expect((await run(['start'], { workingFolder: root, environment: { SAIVAGE_API_TOKEN } })).code).toBe(
        78,
      );
    }
  });

  const external = ['start', '--analyst-mode', 'external', '--analyst-mcp-port', '8082'];
  const whole = [...external, '--analyst-mcp-principal', 'local-operator', '--analyst-mcp-tools'];

  it('SAI-20.4 refuses a token that is missing, unused or the same as the other', async () => {
    const { root } = makeProject(folderOfTest());
    const around = (environment: Record<string, string>) => ({ workingFolder: root, environment });
    expect(await run([...whole, 'read'], around({}))).toMatchObject({
      code: 78,
      complaint: 'saivage: --analyst-mode external needs SAIVAGE_ANALYST_MCP_TOKEN.',
    });
    expect(await run(['start'], around({ SAIVAGE_ANALYST_MCP_TOKEN: 'a' }))).toMatchObject({
      code: 78,
      complaint: 'saivage: SAIVAGE_ANALYST_MCP_TOKEN is set, but the internal mode has no use for it.',
    });
    const same = { SAIVAGE_ANALYST_MCP_TOKEN: 'a', SAIVAGE_API_TOKEN: 'a' };
    expect((await run([...whole, 'read'], around(same))).code).toBe(78);
  });

  it('SAI-20.2 refuses operations that the configured Analyst has not', async () => {
    const { root } = makeProject(folderOfTest(), 'agents: { analyst: { tools: [read] } }\n');
    const around = { workingFolder: root, environment: { SAIVAGE_ANALYST_MCP_TOKEN: 'a' } };
    expect(await run([...whole, 'read,get_status'], around)).toMatchObject({
      code: 64,
      complaint: 'saivage: --analyst-mcp-tools: the Analyst has no operation "get_status".',
    });
  });

  it('SAI-20.5 knows no variable, key or flag but these for the listener', async () => {
    const { root } = makeProject(folderOfTest());
    expect((await run([...external, '--analyst-mcp-token', 'x'], { workingFolder: root })).code).toBe(64);
    const environment = {
      SAIVAGE_ANALYST_MCP_TOKEN: 'a',
      SAIVAGE_ANALYST_MODE: 'external',
      SAIVAGE_ANALYST_PORT: '1',
    };
    expect((await run(['start'], { workingFolder: root, environment })).complaint).toMatch(/internal mode/);
    const yaml = makeProject(folderOfTest(), 'analyst_mode: external\n');
    expect((await run(['check'], { workingFolder: yaml.root })).code).toBe(78);
  });
});

describe('saivage status', () => {
  it('SAI-1.4 says what the lock says: stopped, starting, or doubtful', async () => {
    const folder = makeProject(folderOfTest());
    const around = { workingFolder: folder.root };
    expect(await run(['status'], around)).toEqual({ code: 0, out: 'stopped', complaint: '' });
    const { giveBack } = await takeLock(folder);
    expect((await run(['status'], around)).out).toBe(`starting or stopping (process ${process.pid})`);
    expect(JSON.parse((await run(['status', '--json'], around)).out)).toEqual({
      state: 'starting or stopping',
      pid: process.pid,
    });
    giveBack();
    writeFileSync(folder.lock, 'torn');
    expect((await run(['status'], around)).out).toBe('doubtful: its lock is not one of ours');
  });

  it('SAI-1.4 believes no endpoint file that a dead server left', async () => {
    const folder = makeProject(folderOfTest());
    writeFileSync(folder.endpoint, JSON.stringify({ pid: 1, startTime: 1, origin: 'http://127.0.0.1:1' }));
    expect((await run(['status'], { workingFolder: folder.root })).out).toBe('stopped');
    const { giveBack } = await takeLock(folder);
    expect((await run(['status'], { workingFolder: folder.root })).out).toMatch(/^starting/);
    giveBack();
  });
});

describe('saivage check', () => {
  it('SAI-3.1 prints the verdict and what the Analyst may be asked for', async () => {
    const { root } = makeProject(folderOfTest(), 'agents: { analyst: { tools: [read, get_status] } }\n');
    const { code, out } = await run(['check', '--json'], { workingFolder: root });
    expect([code, JSON.parse(out)]).toEqual([
      0,
      {
        ok: true,
        faults: [],
        project: {
          root,
          name: root.split('/').at(-1),
          projectIdentityDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        analyst: { agent: 'analyst', tools: ['read', 'get_status'] },
      },
    ]);
  });

  it('SAI-3.1 prints every fault as data', async () => {
    const { root } = makeProject(folderOfTest(), 'x: 1\nserver:\n  y: 2\n');
    const { code, out } = await run(['check', '--json'], { workingFolder: root });
    expect([code, (JSON.parse(out) as { faults: unknown }).faults]).toEqual([
      78,
      [
        { line: 1, column: 1, path: 'x', message: 'This key is unknown.' },
        { line: 3, column: 3, path: 'server.y', message: 'This key is unknown.' },
      ],
    ]);
    expect((await run(['check', '--json'], { workingFolder: folderOfTest().root })).code).toBe(78);
  });
});

describe('saivage reset', () => {
  const filled = () => {
    const folder = makeProject(folderOfTest());
    for (const made of [folder.data, folder.work, folder.config]) {
      mkdirSync(made, { recursive: true });
      writeFileSync(join(made, 'x'), 'x');
    }
    return folder;
  };

  it('SAI-8.1 removes data and work and keeps the rest', async () => {
    const folder = filled();
    const yaml = readFileSync(folder.yaml, 'utf8');
    expect((await run(['reset', '--yes'], { workingFolder: folder.root })).code).toBe(0);
    expect(readdirSync(folder.saivage).toSorted()).toEqual([
      '.gitignore',
      'config',
      'locks',
      'project.json',
      'saivage.schema.json',
      'saivage.yaml',
    ]);
    expect(readFileSync(folder.yaml, 'utf8')).toBe(yaml);
    expect(readdirSync(folder.config)).toEqual(['x']);
    expect(inspectLock(folder.lock)).toEqual({ state: 'free' });
  });

  it.each([
    ['yes', 0, false],
    ['y', 1, true],
    ['', 1, true],
  ])('SAI-8.2 asks first: %j', async (answer, code, stays) => {
    const folder = filled();
    expect((await run(['reset'], { workingFolder: folder.root, answer })).code).toBe(code);
    expect([existsSync(folder.data), existsSync(folder.work)]).toEqual([stays, stays]);
  });

  it('SAI-8.2 does nothing where nobody can be asked, or while a server runs', async () => {
    const folder = filled();
    expect((await run(['reset'], { workingFolder: folder.root })).code).toBe(64);
    const { giveBack } = await takeLock(folder);
    expect(await run(['reset', '--yes'], { workingFolder: folder.root })).toMatchObject({
      code: 1,
      complaint: `saivage: Saivage already runs for this project, as process ${process.pid}.`,
    });
    giveBack();
    expect(existsSync(folder.data)).toBe(true);
  });
});
