import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { announce, announceNode } from './index.ts';
import { memoryLog } from './testing/log.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'announce-'));
});
afterEach(() => rm(folder, { recursive: true }));

const facts = { pid: 4711, startTime: 99, origin: 'http://127.0.0.1:8088' };

describe('announce', () => {
  it('writes the facts for the owner only, over what stood there, and leaves no draft', async () => {
    const file = join(folder, 'endpoint.json');
    await writeFile(file, 'left by a dead one');
    await chmod(file, 0o644);
    await announce({ file, facts: { ...facts, analystUrl: 'http://127.0.0.1:8082/mcp' } });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      ...facts,
      analystUrl: 'http://127.0.0.1:8082/mcp',
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['endpoint.json']);
  });

  it('takes its own file back, and no other', async () => {
    const file = join(folder, 'endpoint.json');
    const first = await announce({ file, facts });
    const second = await announce({ file, facts: { ...facts, pid: 4712 } });
    await first();
    expect(await readdir(folder)).toEqual(['endpoint.json']);
    await second();
    expect(await readdir(folder)).toEqual([]);
    await second();
  });
});

describe('announceNode', () => {
  const { log } = memoryLog();
  const node = (pid: number, living: readonly number[]) => {
    const identify = (other = pid) => (living.includes(other) ? { pid: other, startTime: 99 } : undefined);
    return announceNode({ folder, origin: 'http://127.0.0.1:8088', identify, log });
  };
  const named = async () => (await readdir(folder)).toSorted();

  it('gives endpoint.json to one of the nodes that start together, and each other one a file of its own', async () => {
    const pids = [1, 2, 3, 4, 5];
    const withdrawals = await Promise.all(pids.map((pid) => node(pid, pids)));
    const { pid: first } = JSON.parse(await readFile(join(folder, 'endpoint.json'), 'utf8')) as {
      pid: number;
    };
    const others = pids.filter((pid) => pid !== first).map((pid) => `endpoint-${pid}.json`);
    expect(await named()).toEqual([...others, 'endpoint.json']);
    for (const withdraw of withdrawals) await withdraw();
    expect(await named()).toEqual([]);
  });

  it('takes the file of a node that is dead, or that is none', async () => {
    const withdrawFirst = await node(1, [1]);
    const withdrawSecond = await node(2, [2]);
    await withdrawFirst();
    expect(await named()).toEqual(['endpoint.json']);
    await writeFile(join(folder, 'endpoint.json'), '{"pid":');
    await node(3, [1, 2, 3]);
    await withdrawSecond();
    expect(await named()).toEqual(['endpoint.json']);
  });
});
