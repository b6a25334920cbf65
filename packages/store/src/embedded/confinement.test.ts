import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Opener, serverFileOf, serverProcesses, startOpener } from './harness.fixture.ts';
import type { ServerFile } from './server-file.ts';
import { type TemporaryFolder, temporaryFolder } from '../testing/folder.ts';

let folder: TemporaryFolder;
let owner: Opener;
let file: ServerFile;

beforeAll(async () => {
  folder = await temporaryFolder();
  owner = startOpener(folder.path, { env: { MERVARE_MAIL_PASSWORD: 'do-not-inherit' } });
  expect(await owner.next()).toEqual({ mode: 'embedded-owner' });
  file = await serverFileOf(folder.path);
});

afterAll(async () => {
  await owner.close();
  await folder.remove();
});

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

function login(changes: object): Promise<unknown> {
  const { socketFolder, app, password } = file;
  const client = new Client({
    host: socketFolder,
    port: 5432,
    database: app,
    user: app,
    password,
    ...changes,
  });
  return client.connect().then(
    () => client.end(),
    (error: unknown) => error,
  );
}

describe('an embedded server', () => {
  it('keeps its files to itself', async () => {
    const { path } = folder;
    expect(await modeOf(join(path, 'database'))).toBe('700');
    expect(await modeOf(join(path, 'database/server.json'))).toBe('600');
    expect(await modeOf(join(path, 'database/main'))).toBe('700');
    expect(await modeOf(join(path, 'database/main/credentials.json'))).toBe('600');
    expect(await modeOf(join(path, 'database/main/cluster'))).toBe('700');
    expect(await modeOf(file.socketFolder)).toBe('700');
  });

  it('has a socket path that fits every kernel, and no network port', async () => {
    expect(Buffer.byteLength(join(file.socketFolder, '.s.PGSQL.5432'))).toBeLessThanOrEqual(107);
    expect(await readdir(file.socketFolder)).toContain('.s.PGSQL.5432');
    const own = (await readdir(`/proc/${file.server.pid}/fd`)).length;
    expect(own).toBeGreaterThan(0);
    expect(await settingOf('listen_addresses')).toBe('');
  });

  it('asks for the password of the app, and lets nobody else in', async () => {
    expect(await login({})).toBeUndefined();
    expect(await login({ password: 'wrong' })).toMatchObject({ code: '28P01' });
    expect(await login({ user: 'postgres', database: 'postgres' })).toMatchObject({ code: '28P01' });
    expect(await login({ user: 'postgres', database: 'postgres', password: '' })).toBeInstanceOf(Error);
  });

  it('gives the app no power over the machine', async () => {
    expect(await answer('select rolsuper as is from pg_roles where rolname = current_user')).toBe(false);
    await expect(answer(`select pg_read_file('/etc/passwd') as is`)).rejects.toMatchObject({ code: '42501' });
    await expect(answer(`copy (select 1) to program 'true'`)).rejects.toMatchObject({ code: '42501' });
  });

  it('writes to the disk before it acknowledges', async () => {
    expect(await settingOf('fsync')).toBe('on');
    expect(await settingOf('synchronous_commit')).toBe('on');
    expect(await settingOf('full_page_writes')).toBe('on');
    expect(await settingOf('data_checksums')).toBe('on');
  });

  it('runs with nothing of our environment and no password in anybody’s arguments', async () => {
    // Any of them but the server itself may end meanwhile.
    const partOf = (pid: number | string, part: string) =>
      readFile(`/proc/${pid}/${part}`, 'utf8').catch(() => '');
    const own = await readFile(`/proc/${file.server.pid}/environ`, 'utf8');
    const others = await serverProcesses(folder.path);
    for (const environment of [own, ...(await Promise.all(others.map(({ pid }) => partOf(pid, 'environ'))))])
      expect(environment).not.toMatch(/do-not-inherit|MERVARE/);
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)))
      for (const part of ['cmdline', 'environ']) expect(await partOf(pid, part)).not.toContain(file.password);
  });

  it.runIf(process.geteuid?.() === 0)('of root runs as nobody with one capability at most', async () => {
    const status = await readFile(`/proc/${file.server.pid}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\t65534\t65534\t65534\t65534$/m);
    expect(status).toMatch(/^Gid:\t65534\t65534\t65534\t65534$/m);
    expect(status).toMatch(/^Groups:\s*$/m);
    // Bit 2 is CAP_DAC_READ_SEARCH, bit 1 CAP_DAC_OVERRIDE where root itself does not have the other.
    expect(status).toMatch(/^CapEff:\t000000000000000[24]$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  });
});

async function answer(statement: string): Promise<unknown> {
  const { socketFolder, app, password } = file;
  const client = new Client({ host: socketFolder, port: 5432, database: app, user: app, password });
  await client.connect();
  try {
    return (await client.query<{ is: unknown }>(statement)).rows[0]?.is;
  } finally {
    await client.end();
  }
}

function settingOf(name: string): Promise<unknown> {
  return answer(`select current_setting('${name}') as is`);
}
