import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isSameProcess, processIdentity } from './identity.ts';

describe('the identity of a process', () => {
  it('is stable and plain JSON', () => {
    const identity = processIdentity();
    expect(identity).toEqual({
      pid: process.pid,
      startTime: expect.any(Number),
      bootId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    });
    expect(processIdentity()).toEqual(identity);
    expect(identity && isSameProcess(identity)).toBe(true);
  });

  it('tells a later process of the same pid, and another boot, apart', () => {
    const identity = processIdentity();
    if (!identity) throw new Error('this process lives');
    expect(isSameProcess({ ...identity, startTime: identity.startTime - 1 })).toBe(false);
    expect(isSameProcess({ ...identity, bootId: '00000000-0000-4000-8000-000000000000' })).toBe(false);
  });

  it('ends with the process', async () => {
    const child = spawn('/bin/cat', { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(child, 'spawn');
    const identity = processIdentity(child.pid);
    expect(identity && isSameProcess(identity)).toBe(true);
    child.stdin.end();
    await once(child, 'exit');
    expect(processIdentity(child.pid)).toBeUndefined();
    expect(identity && isSameProcess(identity)).toBe(false);
  });

  it('counts a zombie as gone: it can do nothing any more', async () => {
    // The shell starts a child that ends at once, then becomes a `cat` that never waits for it.
    const child = spawn('/bin/sh', ['-c', 'true & echo $!; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const zombie = Number(line.toString());
    await expect.poll(() => processIdentity(zombie)).toBeUndefined();
    child.stdin.end();
    await once(child, 'exit');
  });
});
