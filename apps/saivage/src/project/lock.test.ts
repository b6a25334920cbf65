import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { Refusal } from '@portolan/mcp/tool';
import { processIdentity } from '@portolan/process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOfTest } from '../testing/project.ts';
import { inspectLock, takeLock } from './lock.ts';
import { writeState } from './state.ts';

/** A lock as another process would have written it. */
async function lockOf(owner: { pid?: number | undefined; [key: string]: unknown }) {
  const folder = folderOfTest();
  const { giveBack } = await takeLock(folder);
  const ours = JSON.parse(readFileSync(folder.lock, 'utf8')) as object;
  giveBack();
  writeState(folder.lock, { ...ours, ...owner });
  return folder;
}

async function livingChild() {
  const child = spawn('/bin/cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  await once(child, 'spawn');
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

describe('the lock of a project', () => {
  it('SAI-4.1 is taken by one, and given back', async () => {
    const folder = folderOfTest();
    const { owner, giveBack } = await takeLock(folder);
    expect(owner.pid).toBe(process.pid);
    expect(inspectLock(folder.lock)).toMatchObject({ state: 'live', owner: { pid: process.pid } });
    await expect(takeLock(folder)).rejects.toThrow(Refusal);
    giveBack();
    expect(existsSync(folder.lock)).toBe(false);
    (await takeLock(folder)).giveBack();
  });

  it('SAI-4.1 is refused while another process lives that has it', async () => {
    const child = await livingChild();
    const folder = await lockOf({ ...processIdentity(child.pid) });
    await expect(takeLock(folder)).rejects.toThrow(`as process ${child.pid}.`);
  });

  it('SAI-4.2 is taken over from an owner that has died', async () => {
    const child = await livingChild();
    const folder = await lockOf({ ...processIdentity(child.pid) });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(inspectLock(folder.lock)).toEqual({ state: 'free' });
    (await takeLock(folder)).giveBack();
  });

  it.each([
    ['a later process with the same pid', { startTime: 1 }],
    ['another boot of the machine', { bootId: '00000000-0000-4000-8000-000000000000' }],
    [
      'another boot, seen from another container',
      { bootId: '00000000-0000-4000-8000-000000000000', pidNamespace: 'pid:[1]' },
    ],
  ])('SAI-4.2 is taken over when the pid belongs to %s', async (_, owner) => {
    (await takeLock(await lockOf(owner))).giveBack();
  });

  it('SAI-4.3 is refused when the owner is in another container: its pid means nothing here', async () => {
    const folder = await lockOf({ pid: 999_999_999, pidNamespace: 'pid:[1]' });
    await expect(takeLock(folder)).rejects.toThrow(
      /^It is not certain that no Saivage runs .* another container/,
    );
    expect(existsSync(folder.lock)).toBe(true);
  });

  it.each(['', 'torn', '{"pid":1}', '[]'])('SAI-4.3 is refused when it reads %j', async (text) => {
    const folder = await lockOf({});
    writeFileSync(folder.lock, text);
    await expect(takeLock(folder)).rejects.toThrow(/its lock is not one of ours/);
    expect(readFileSync(folder.lock, 'utf8')).toBe(text);
  });

  it('SAI-4.2 is looked at and written by one process at a time', async () => {
    const folder = await lockOf({ startTime: 1 });
    const { dev, ino } = statSync(folder.locks);
    const door = createServer().listen({ path: `\0saivage-lock-${dev}-${ino}` });
    await once(door, 'listening');
    await expect(takeLock(folder)).rejects.toThrow(
      'Another Saivage command is taking this project at this moment.',
    );
    door.close();
    (await takeLock(folder)).giveBack();
  });

  it('SAI-4.2 goes to one of many that take it over at once', async () => {
    const folder = await lockOf({ startTime: 1 });
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => takeLock(folder)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is not given back by somebody who has lost it', async () => {
    const folder = folderOfTest();
    const { giveBack } = await takeLock(folder);
    writeFileSync(folder.lock, 'of somebody else');
    giveBack();
    expect(readFileSync(folder.lock, 'utf8')).toBe('of somebody else');
    rmSync(folder.lock);
  });
});
