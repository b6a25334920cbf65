import type { Config } from '../config.ts';
import { withDatabase } from '../database.ts';
import { readCsv } from '../logbook/csv.ts';
import { importVisits } from '../logbook/import.ts';
import { readGiven } from './given-file.ts';
import { summary } from './harbour-import.ts';
import { operator } from './operator.ts';
import type { Terminal } from './terminal.ts';

/** `mervare logbook import FILE`: merges observed visits into the logbook, all or nothing, and says what changed. */
export async function importLogbook(file: string, config: Config, { print }: Terminal): Promise<void> {
  const visits = readCsv(await readGiven(file));
  const hand = { by: operator, now: Date.now() };
  print(summary(await withDatabase(config, ({ store }) => importVisits(store.db, visits, hand))));
}
