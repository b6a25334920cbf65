import { kill } from 'node:process';
import { chown, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serverAccount } from './account.ts';
import {
  type Answer,
  gone,
  type Opener,
  serverFileOf,
  serverProcesses,
  startOpener,
  waitsForLock,
} from './harness.fixture.ts';
import { type TemporaryFolder, temporaryFolder } from '../testing/folder.ts';

const LEFT = 'portolan-pg-0123456789ab-';
let folder: TemporaryFolder;
let openers: Opener[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  await Promise.all(openers.map((opener) => opener.close()));
  openers = [];
});

afterAll(() => folder.remove());

function open(): Opener {
  const opener = startOpener(folder.path);
  openers.push(opener);
  return opener;
}

async function opened(mode: string): Promise<Opener> {
  const opener = open();
  expect(await opener.next()).toEqual({ mode });
  return opener;
}

async function rowsOf(opener: Opener): Promise<number> {
  return (await opener.ask('count')).rows ?? -1;
}

/** Lets a process write until 300 rows are acknowledged, then strikes. The rows that must be there afterwards. */
async function strikeWhileWriting(writer: Opener, strike: () => Promise<void>): Promise<number> {
  const before = await rowsOf(writer);
  let last: Answer = await writer.ask('write');
  while ((last.written ?? 0) < 300) last = await writer.next();
  const struck = strike();
  let acknowledged = 0;
  for (; last.written !== undefined; last = await writer.next().catch(() => ({})))
    acknowledged = last.written;
  await struck;
  return before + acknowledged;
}

describe('one data folder', () => {
  it('has one owner however many open it at once, and all see the same rows', async () => {
    const modes = await Promise.all([open(), open(), open(), open()].map((opener) => opener.next()));
    expect(modes.filter(({ mode }) => mode === 'embedded-owner')).toHaveLength(1);
    expect(modes.filter(({ mode }) => mode === 'embedded-guest')).toHaveLength(3);
    for (const opener of openers) expect(await opener.ask('count')).toEqual({ rows: 0 });
  });

  it('goes to a guest when the owner ends in order', async () => {
    const owner = await opened('embedded-owner');
    const guest = await opened('embedded-guest');
    await owner.close();
    expect(await rowsOf(guest)).toBeGreaterThanOrEqual(0);
    expect(await guest.ask('mode')).toEqual({ mode: 'embedded-owner' });
    expect((await serverFileOf(folder.path)).owner.pid).toBe(guest.pid);
  });

  it('keeps every acknowledged row when the owner is killed, ends its server, and goes to the next opener', async () => {
    const owner = await opened('embedded-owner');
    const left = await serverFileOf(folder.path);
    const processes = await serverProcesses(folder.path);
    expect(processes.length).toBeGreaterThan(3);
    const acknowledged = await strikeWhileWriting(owner, () => owner.kill());
    await gone(processes);
    const next = await opened('embedded-owner');
    expect(await rowsOf(next)).toBeGreaterThanOrEqual(acknowledged);
    await expect(stat(left.socketFolder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('goes to a guest that listens when the owner is killed, and tells it to look', async () => {
    const owner = await opened('embedded-owner');
    const guest = await opened('embedded-guest');
    expect(await guest.ask('listen')).toEqual({ listening: true });
    await owner.kill();
    expect(await guest.next()).toEqual({ hint: 'look' });
    expect(await guest.ask('mode')).toEqual({ mode: 'embedded-owner' });
    expect(await rowsOf(guest)).toBeGreaterThanOrEqual(0);
  });

  it('is waited for while the server of a killed owner is still ending, and never joined', async () => {
    const owner = await opened('embedded-owner');
    const { server } = await serverFileOf(folder.path);
    kill(server.pid, 'SIGSTOP');
    await owner.kill();
    const next = open();
    await waitsForLock(next.pid).finally(() => kill(server.pid, 'SIGCONT'));
    expect(await next.next()).toEqual({ mode: 'embedded-owner' });
    expect(await rowsOf(next)).toBeGreaterThanOrEqual(0);
  });

  it('gets a new server when the old one is killed under its living owner and a busy guest, with every acknowledged row', async () => {
    const owner = await opened('embedded-owner');
    const guest = await opened('embedded-guest');
    const processes = await serverProcesses(folder.path);
    const acknowledged = await strikeWhileWriting(guest, async () => {
      kill((await serverFileOf(folder.path)).server.pid, 'SIGKILL');
      await gone(processes);
    });
    expect(await rowsOf(owner)).toBeGreaterThanOrEqual(acknowledged);
    expect(await rowsOf(guest)).toBeGreaterThanOrEqual(acknowledged);
    expect(await serverProcesses(folder.path)).not.toEqual([]);
  });

  it('is not taken from its new owner by the end of the one whose server was killed', async () => {
    const first = await opened('embedded-owner');
    const second = await opened('embedded-guest');
    const processes = await serverProcesses(folder.path);
    kill((await serverFileOf(folder.path)).server.pid, 'SIGKILL');
    await gone(processes);
    expect(await rowsOf(second)).toBeGreaterThanOrEqual(0);
    expect(await second.ask('mode')).toEqual({ mode: 'embedded-owner' });
    await first.close();
    await opened('embedded-guest');
  });

  it('is left without a process and without a word about a server', async () => {
    const owner = await opened('embedded-owner');
    const { socketFolder } = await serverFileOf(folder.path);
    await owner.close();
    expect(await serverProcesses(folder.path)).toEqual([]);
    for (const path of [socketFolder, join(folder.path, 'database/server.json')])
      await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('clears the socket folders that killed servers of other folders left, once they are surely not in use', async () => {
    const { uid, gid } = await serverAccount();
    const [left, fresh] = [await mkdtemp(join(tmpdir(), LEFT)), await mkdtemp(join(tmpdir(), LEFT))];
    for (const path of [left, fresh]) await chown(path, uid, gid);
    const earlier = new Date(Date.now() - 3_600_000);
    await utimes(left, earlier, earlier);
    await opened('embedded-owner');
    await expect(stat(left)).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await stat(fresh)).isDirectory()).toBe(true);
    await rm(fresh, { recursive: true });
  });

  it('keeps its server through Ctrl-C until the store is closed', async () => {
    const owner = await opened('embedded-owner');
    kill(-owner.pid, 'SIGINT');
    expect(await owner.next()).toEqual({ interrupted: true });
    expect(await rowsOf(owner)).toBeGreaterThanOrEqual(0);
    expect(await owner.ask('mode')).toEqual({ mode: 'embedded-owner' });
  });
});
