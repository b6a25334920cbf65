import type { Config } from '../config.ts';
import { withDatabase } from '../database.ts';
import { readGeoJson } from '../harbour/geojson.ts';
import { importHarbours } from '../harbour/import.ts';
import type { Imported } from '../imports/imported.ts';
import { readGiven } from './given-file.ts';
import { operator } from './operator.ts';
import type { Terminal } from './terminal.ts';

/** `mervare harbour import FILE`: merges a file into the register, all or nothing, and says what changed. */
export async function importFile(file: string, config: Config, { print }: Terminal): Promise<void> {
  const statements = readGeoJson(await readGiven(file));
  const hand = { by: operator, now: Date.now() };
  print(summary(await withDatabase(config, ({ store }) => importHarbours(store.db, statements, hand))));
}

/** What an import did, in one line. */
export function summary({ added, changed, unchanged }: Imported): string {
  return `${added} added, ${changed} changed, ${unchanged} unchanged.`;
}
