import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabase } from '@portolan/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../migrations.ts';
import { runCommand } from './program.ts';
import { startProgram, type Program } from '../testing/program.ts';
import { HOST_KEY, post } from '../testing/sveda.ts';

const yaml = (policy: string) => `models: [{ provider: demo }]\npolicies: { ${policy}: { web: true } }\n`;
let folder: string;
let database: Awaited<ReturnType<typeof testDatabase>>;
let environment: Record<string, string>;
let program: Program;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sveda-serve-'));
  database = await testDatabase({ app: 'sveda', migrations });
  await writeFile(join(folder, 'sveda.yaml'), yaml('guest'));
  environment = {
    SVEDA_CONFIG: join(folder, 'sveda.yaml'),
    SVEDA_DATA: folder,
    DATABASE_URL: database.url,
    SVEDA_APP_KEY: 'an app key of at least thirty-two characters',
    SVEDA_EMBED_HOST_API_KEY: HOST_KEY,
  };
  program = await startProgram(environment);
});
afterAll(async () => {
  await program.end('SIGTERM');
  await database.drop();
  await rm(folder, { recursive: true });
});

const mint = async (policy: string) =>
  (await post(program.origin, '/sveda/embed/token', { policy }, { 'x-sveda-host-key': HOST_KEY })).status;

describe('sveda serve at SIGHUP', () => {
  it('SVE-32.2 takes a sound configuration, and keeps the old one when the new one is at fault', async () => {
    await writeFile(join(folder, 'sveda.yaml'), `${yaml('member')}nonsense: 1\n`);
    const kept = program.logged('configuration kept: the new one is at fault');
    program.child.kill('SIGHUP');
    expect(String((await kept).fault)).toContain('nonsense');
    expect([await mint('guest'), await mint('member')]).toEqual([200, 422]);

    await writeFile(join(folder, 'sveda.yaml'), yaml('member'));
    const reloaded = program.logged('configuration reloaded');
    program.child.kill('SIGHUP');
    await reloaded;
    expect([await mint('guest'), await mint('member')]).toEqual([422, 200]);
  });
});

describe('the address of sveda serve', () => {
  it('SVE-1.5 is this machine at 8787 unless told otherwise', async () => {
    const said = await startProgram(environment, []).then(async (one) => {
      await one.end('SIGTERM');
      return one.origin;
    }, String);
    // Somebody else may have the port, such as another run of this test: then that is said of it.
    expect(said).toMatch(/^http:\/\/127\.0\.0\.1:8787$|address already in use 127\.0\.0\.1:8787/);
  });

  it('SVE-2.5 is beyond this machine only with a host key', async () => {
    const said: string[] = [];
    const say = (line: string): void => void said.push(line);
    const bare = { SVEDA_CONFIG: join(folder, 'sveda.yaml') };
    const terminal = { environment: bare, print: say, complain: say };
    expect(await runCommand(['serve', '--host', '0.0.0.0'], terminal)).toBe(78);
    expect(said.at(-1)).toContain('set SVEDA_EMBED_HOST_API_KEY');
  });
});

describe('a data folder', () => {
  const own = () => ({ ...environment, DATABASE_URL: '' });

  it('that cannot hold data is named, by serve and by check, which end with 78', async () => {
    const below = join(folder, 'sveda.yaml', 'data');
    for (const args of [['serve', '--port', '0'], ['check']]) {
      const said: string[] = [];
      const say = (line: string): void => void said.push(line);
      const terminal = { environment: { ...own(), SVEDA_DATA: below }, print: say, complain: say };
      expect(await runCommand(args, terminal)).toBe(78);
      expect(said.join()).toContain(`${below} cannot hold our data: a file stands on the way to it.`);
    }
  });

  it('has a file for each node that says where it is: a further one leaves endpoint.json alone', async () => {
    const facts = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8')) as object;
    const first = await facts('endpoint.json');
    const second = await startProgram(environment);
    try {
      const file = `endpoint-${second.child.pid}.json`;
      expect(await facts(file)).toMatchObject({ pid: second.child.pid, origin: second.origin });
      expect(await facts('endpoint.json')).toEqual(first);
    } finally {
      await second.end('SIGTERM');
    }
    expect((await readdir(folder)).filter((name) => name.startsWith('endpoint'))).toEqual(['endpoint.json']);
  });
});
