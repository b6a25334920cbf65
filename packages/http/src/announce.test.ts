import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { announce } from './index.ts';

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
