import { readConfig, type Config } from '../config.ts';
import { withDatabase } from '../database.ts';
import { harbourStats } from '../harbour/stats.ts';
import { openSecret } from '../secret/site-secret.ts';
import type { Terminal } from './terminal.ts';

/** `mervare check`: true when `serve` could start here. The database is opened as `serve` opens it, migrations included. */
export async function check({ environment, print, complain }: Terminal): Promise<boolean> {
  const { config, faults } = readConfig(environment);
  // A fault elsewhere must not hide one of the database.
  const database = config ?? readConfig(onlyDatabase(environment)).config;
  const all = [...faults, ...(database ? await databaseFaults(database, print) : [])];
  for (const fault of all) complain(`fault: ${fault}`);
  if (all.length === 0) print('No fault found.');
  return all.length === 0;
}

function onlyDatabase({ DATABASE_URL, MERVARE_DATA, MERVARE_SECRET }: Terminal['environment']) {
  return { DATABASE_URL, MERVARE_DATA, MERVARE_SECRET };
}

async function databaseFaults(config: Config, print: Terminal['print']): Promise<string[]> {
  try {
    const { harbours } = await withDatabase(config, async ({ store, anonymous }) => {
      await openSecret(config, store.db);
      return harbourStats(anonymous);
    });
    print(`The database answers with ${harbours} harbours.`);
    return [];
  } catch (error) {
    // Rooms have their own class of this name; the operator's part is the same. Anything else is no fault of theirs.
    if (error instanceof Error && error.name === 'Misconfigured') return [error.message];
    throw error;
  }
}
