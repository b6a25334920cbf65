import { createInterface } from 'node:readline';
import { sql } from 'kysely';
import { openStore } from '../index.ts';

/**
 * A process for tests that has a store open and does what the lines on its stdin say, one JSON line an answer:
 * `write` (2,000 inserts or until the database is lost, each told when acknowledged), `count`, `mode`, `listen`, `close`.
 */
const [dataDir = '', app = 'harbour'] = process.argv.slice(2);

function tell(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

// As a server does: the first Ctrl-C begins an orderly end, which needs the database.
process.on('SIGINT', () => tell({ interrupted: true }));

const store = await openStore({
  dataDir,
  app,
  migrations: [{ name: 'entry', up: async (db) => void (await sql`create table entry (n int)`.execute(db)) }],
}).catch((error: unknown) => {
  const { name, code, message } = error as Error & { code?: string };
  tell({ refused: { name, code, message } });
  process.exit(78);
});
tell({ mode: store.mode });

for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'write') await write();
  if (line === 'count')
    tell({ rows: (await sql`select n from entry order by n`.execute(store.db)).rows.length });
  if (line === 'mode') tell({ mode: store.mode });
  if (line === 'listen') {
    await store.listen('entry', (payload) => tell({ hint: payload ?? 'look' }));
    tell({ listening: true });
  }
  if (line === 'close') break;
}
await store.close();

/** It may lose its server in between two rows and go on with the next one without a word. */
async function write(): Promise<void> {
  try {
    for (let n = 1; n <= 2_000; n++) {
      await sql`insert into entry values (${n})`.execute(store.db);
      tell({ written: n });
    }
    tell({ stopped: 'all written' });
  } catch (error) {
    tell({ stopped: String(error) });
  }
}
