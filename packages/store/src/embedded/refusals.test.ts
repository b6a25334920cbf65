import { spawn } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverAccount } from './account.ts';
import { prepareBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { type Answer, serverFileOf, startOpener } from './harness.fixture.ts';
import { layoutOf } from './layout.ts';
import { takeLock } from './lock.ts';
import { nativePackage, thisPlatform } from './platform.ts';
import { type Server, startServer } from './server.ts';
import { writeServerFile } from './server-file.ts';
import { type TemporaryFolder, temporaryFolder } from '../testing/folder.ts';

const root = process.geteuid?.() === 0;
let folder: TemporaryFolder;
let cluster: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  cluster = join(folder.path, 'database/main/cluster');
  expect(await openOnce()).toEqual({ mode: 'embedded-owner' });
});

afterAll(() => folder.remove());

/** What a process says first that opens the folder, and closes it again. */
async function openOnce(app = 'harbour'): Promise<Answer> {
  const opener = startOpener(folder.path, { app });
  const answer = await opener.next();
  await opener.close();
  return answer;
}

/** A server of the cluster that holds that lock, without an owner's word. */
async function startByHand(lockFile: string): Promise<Server> {
  const lock = await takeLock(lockFile, 0);
  if (!lock) throw new Error('Somebody has the lock');
  const binaries = await prepareBinaries(await nativePackage(thisPlatform()), join(folder.path, 'links'));
  const host = { binaries, account: await serverAccount(), lockFd: lock.fd };
  const server = await startServer(host, cluster, 'byhand', () => undefined);
  await lock.release();
  return server;
}

describe('a data folder', () => {
  it('of another app is refused, whether its server runs or not', async () => {
    const refused = {
      name: 'Misconfigured',
      code: 'other_app',
      message: `${folder.path}/database holds the database of harbour: give lighthouse a data folder of its own`,
    };
    expect(await openOnce('lighthouse')).toEqual({ refused });
    const owner = startOpener(folder.path);
    await owner.next();
    expect(await openOnce('lighthouse')).toEqual({ refused });
    await owner.close();
  });

  it('of another PostgreSQL major is refused, with the way to move it', async () => {
    await writeFile(join(cluster, 'PG_VERSION'), '17\n');
    const { refused } = await openOnce();
    await writeFile(join(cluster, 'PG_VERSION'), '18\n');
    expect(refused).toMatchObject({ name: 'Misconfigured', code: 'other_major' });
    expect(refused?.message).toContain('was made by PostgreSQL 17, this release brings 18');
    expect(refused?.message).toContain('harbour export');
    expect(refused?.message).toContain('harbour import');
  });

  it('on a full disk is refused, with what the first program says that finds it so', async () => {
    const said = 'initdb: error: could not write file "PG_VERSION": No space left on device';
    const programs = await mkdtemp(join(tmpdir(), 'store-full-'));
    await chmod(programs, 0o755);
    await writeFile(join(programs, 'initdb'), `#!/bin/sh\necho '${said}' >&2\nexit 1\n`, { mode: 0o755 });
    const layout = layoutOf(join(programs, 'data'));
    await mkdir(layout.home, { recursive: true });
    const lock = await takeLock(join(programs, 'lock'), 0);
    const host = {
      binaries: { programs, libraryPath: '' },
      account: await serverAccount(),
      lockFd: lock?.fd ?? 0,
    };
    await expect(ensureCluster(host, layout, 'harbour')).rejects.toMatchObject({
      name: 'Misconfigured',
      code: 'disk_full',
      message: `The disk of the database is full: free some space. It says: ${said}`,
    });
    await lock?.release();
    await rm(programs, { recursive: true });
  });

  it.runIf(root)('of another user is refused, with that user', async () => {
    const { uid, gid } = await stat(cluster);
    await chown(cluster, 12_345, 12_345);
    const { refused } = await openOnce();
    await chown(cluster, uid, gid);
    expect(refused).toEqual({
      name: 'Misconfigured',
      code: 'other_user',
      message: `${cluster} belongs to the user with id 12345: run harbour as the user that made it`,
    });
  });

  it('loses a stale pid file whose number belongs to a stranger now', async () => {
    // PostgreSQL itself sees through strangers of other users only.
    const { become } = await serverAccount();
    const stranger = spawn('setpriv', [...become, 'sleep', '600']);
    await writeFile(join(cluster, 'postmaster.pid'), `${stranger.pid}\n${cluster}\n`);
    expect(await openOnce()).toEqual({ mode: 'embedded-owner' });
    expect(stranger.kill()).toBe(true);
  });

  it('loses a stale pid file whose number belongs to the PostgreSQL of another folder now', async () => {
    const other = await temporaryFolder();
    const stranger = startOpener(other.path);
    await stranger.next();
    const { server } = await serverFileOf(other.path);
    await writeFile(join(cluster, 'postmaster.pid'), `${server.pid}\n${cluster}\n`);
    expect(await openOnce()).toEqual({ mode: 'embedded-owner' });
    expect(await stranger.ask('count')).toEqual({ rows: 0 });
    await stranger.close();
    await other.remove();
  });

  it('is left alone while a server that was started by hand works in it', async () => {
    const server = await startByHand(join(folder.path, 'elsewhere'));
    const { refused } = await openOnce();
    expect(await readFile(join(cluster, 'postmaster.pid'), 'utf8')).toMatch(`${server.process.pid}\n`);
    await server.stop();
    expect(refused).toEqual({
      name: 'Misconfigured',
      code: 'folder_in_use',
      message: `Process ${server.process.pid} seems to be a PostgreSQL that was started by hand on ${cluster}: end it first`,
    });
  });

  it('is freed from a server that the kernel did not end with its owner', async () => {
    const { lock, serverFile } = layoutOf(folder.path);
    const { socketFolder, process: server, ended } = await startByHand(lock);
    const dead = { pid: process.pid, startTime: '0' };
    await writeServerFile(serverFile, { app: 'harbour', password: '', socketFolder, owner: dead, server });
    expect(await openOnce()).toEqual({ mode: 'embedded-owner' });
    await ended;
  });

  it('whose first start was cut off is made anew', async () => {
    const half = await temporaryFolder();
    const database = join(half.path, 'database');
    // A busy machine may come to look only when the first stage is over.
    for (const stage of [/^(new-|main)/, /^main/]) {
      await rm(database, { recursive: true, force: true });
      await mkdir(database, { recursive: true });
      const victim = startOpener(half.path);
      await expect
        .poll(() => readdir(database), { interval: 5 })
        .toContainEqual(expect.stringMatching(stage));
      await victim.kill();
      const next = startOpener(half.path);
      expect(await next.next()).toEqual({ mode: 'embedded-owner' });
      await next.close();
    }
    await half.remove();
  });
});

describe('a platform', () => {
  it.each([
    [{ os: 'linux', cpu: 'x64', glibc: false }],
    [{ os: 'linux', cpu: 'riscv64', glibc: true }],
    [{ os: 'darwin', cpu: 'arm64', glibc: false }],
  ])('where the server cannot run is refused: %o', async (platform) => {
    await expect(nativePackage(platform)).rejects.toMatchObject({
      name: 'Misconfigured',
      code: 'unsupported_platform',
      message:
        'The embedded database needs Linux with glibc on x64 or arm64: set DATABASE_URL to a PostgreSQL of your own (15 or newer)',
    });
  });
});

describe.runIf(root)('the programs that root keeps', () => {
  it('are refused in a place that others can write to', async () => {
    const native = await nativePackage(thisPlatform());
    const cache = `/tmp/portolan-cache-${process.pid}`;
    await expect(prepareBinaries(native, join(folder.path, 'links'), cache)).rejects.toMatchObject({
      name: 'Misconfigured',
      message: expect.stringContaining('Others than root may write to /tmp'),
    });
    await rm(cache, { recursive: true });
  });

  it('appear whole and for everybody, however many copy them at once and whatever the umask is', async () => {
    const cache = `/var/cache/portolan-store-test-${process.pid}`;
    const umask = process.umask(0o077);
    const native = await nativePackage(thisPlatform());
    try {
      const copies = await Promise.all(
        [1, 2, 3].map((n) => prepareBinaries(native, join(folder.path, `links${n}`), cache)),
      );
      expect(new Set(copies.map(({ programs }) => programs)).size).toBe(1);
      expect((await stat(cache)).mode & 0o777).toBe(0o755);
      for (const { programs } of copies)
        expect((await stat(join(programs, 'postgres'))).mode & 0o777).toBe(0o755);
    } finally {
      process.umask(umask);
      await rm(cache, { recursive: true, force: true });
    }
  });
});
