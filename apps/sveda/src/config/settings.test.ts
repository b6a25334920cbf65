import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appKeys, generatedKey } from '../embed/keys.ts';
import { readToken, signToken } from '../embed/token.ts';
import { readSettings } from './settings.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sveda-settings-'));
  await writeFile(join(folder, 'sveda.yaml'), 'models: [{ provider: demo }]\n');
});
afterAll(() => rm(folder, { recursive: true }));

const read = (environment: Record<string, string>) => () =>
  readSettings({ SVEDA_CONFIG: join(folder, 'sveda.yaml'), SVEDA_DATA: folder, ...environment });

describe('the signing key', () => {
  it('SVE-3.5 is made once in the data folder where none is set, and readable for nobody else', async () => {
    expect(read({})().appKeys).toBeUndefined();
    const key = await generatedKey(folder);
    expect(key.length).toBeGreaterThanOrEqual(43);
    expect((await stat(join(folder, 'app-key'))).mode & 0o777).toBe(0o600);
    const token = signToken({ visitor: 'v', expires: 2_000_000_000, id: 'one' }, appKeys([key]));
    const afterRestart = appKeys([await generatedKey(folder)]);
    expect(readToken(token, afterRestart, new Date(0))).toMatchObject({ visitor: 'v' });
    expect(await readFile(join(folder, 'app-key'), 'utf8')).toBe(key);
  });

  it('SVE-3.5 must be set where several nodes may share a database', () => {
    const url = { DATABASE_URL: 'postgres://127.0.0.1/sveda' };
    expect(read(url)).toThrow(
      'SVEDA_APP_KEY is required with DATABASE_URL: every node must read the tokens of the others.',
    );
    expect(read({ ...url, SVEDA_APP_KEY: 'k'.repeat(32) })().databaseUrl).toBe(url.DATABASE_URL);
    expect(read({ SVEDA_APP_KEY: 'k'.repeat(31) })).toThrow('at least 32 characters');
  });

  it('says every fault of the environment at once', () => {
    expect(
      read({
        SVEDA_EMBED_HOST_API_KEY: 'short',
        SVEDA_ADMIN_KEY: 'has a space in it',
        SVEDA_APP_KEY: 'short',
        SVEDA_TRUSTED_PROXIES: '127.0.0.1, localhost',
      }),
    ).toThrow(
      /SVEDA_EMBED_HOST_API_KEY[\s\S]*SVEDA_ADMIN_KEY[\s\S]*SVEDA_APP_KEY[\s\S]*SVEDA_TRUSTED_PROXIES/,
    );
    const same = 'the-same-key-for-both';
    expect(read({ SVEDA_EMBED_HOST_API_KEY: same, SVEDA_ADMIN_KEY: same })).toThrow('must differ');
  });
});
