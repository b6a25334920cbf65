import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@portolan/store';
import { testDatabase, type TestDatabase } from '@portolan/store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrations } from '../migrations.ts';
import type { SiteTables } from '../tables.ts';
import { runCommand } from './program.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await testDatabase({ app: 'mervare', migrations });
  folder = mkdtempSync(join(tmpdir(), 'mervare-logbook-'));
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

it('MER-32.5 MER-30.9 mervare logbook import brings a file, says what changed, and leaves one row in the audit trail for it', async () => {
  const file = join(folder, 'may.csv');
  const head = 'source,reference,harbour,arrival,departure,class,length_m';
  writeFileSync(file, `${head}\nais-1,a/1,EETLL,2026-05-01T08:00:00Z,,passenger,212.1\n`);
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const silent = { isTerminal: false, readSecret: () => Promise.resolve('') };
  const terminal = { ...silent, environment: { DATABASE_URL: database.url }, print: say, complain: say };
  expect(await runCommand(['logbook', 'import', file], terminal)).toBe(0);
  expect(await runCommand(['logbook', 'import', file], terminal)).toBe(0);
  writeFileSync(file, `${head}\nais-1,a/1,nowhere,2026-05-01T08:00:00Z,,passenger,212.1\n`);
  expect(await runCommand(['logbook', 'import', file], terminal)).toBe(1);
  const store = await openStore<SiteTables>({ url: database.url, dataDir: '', app: 'mervare', migrations });
  const audited = await store.db
    .selectFrom('audit')
    .select(['credential', 'who', 'action', 'count'])
    .execute();
  await store.close();
  expect(audited).toEqual([{ credential: 'command', who: 'operator', action: 'logbook.import', count: 1 }]);
  expect(said).toEqual([
    '1 added, 0 changed, 0 unchanged.',
    '0 added, 0 changed, 1 unchanged.',
    expect.stringContaining('line 2: harbour must be a UN/LOCODE such as EETLL') as string,
  ]);
});
