import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { announce, announceNode } from './index.ts';

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
  const node = (pid: number, living: readonly number[]) =>
    announceNode(folder, { ...facts, pid }, ({ pid: other }) => living.includes(other));
  const named = async () => (await readdir(folder)).toSorted();

  it('gives endpoint.json to one of the nodes that start together, and each other one a file of its own', async () => {
    const pids = [1, 2, 3, 4, 5];
    const announced = await Promise.all(pids.map((pid) => node(pid, pids)));
    const [first, ...others] = announced
      .map(({ file }) => basename(file))
      .toSorted()
      .toReversed();
    expect(first).toBe('endpoint.json');
    expect(new Set(others).size).toBe(4);
    expect(await named()).toEqual([...others, 'endpoint.json'].toSorted());
    for (const { withdraw } of announced) await withdraw();
    expect(await named()).toEqual([]);
  });

  it('takes the file of a node that is dead, or that is none', async () => {
    const first = await node(1, []);
    const second = await node(2, []);
    await first.withdraw();
    expect([basename(second.file), await named()]).toEqual(['endpoint.json', ['endpoint.json']]);
    await writeFile(second.file, '{"pid":');
    expect(basename((await node(3, [1, 2])).file)).toBe('endpoint.json');
  });
});
