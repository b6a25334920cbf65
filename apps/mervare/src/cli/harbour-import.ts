import { readFile, stat } from 'node:fs/promises';
import { Refusal } from '@portolan/mcp/tool';
import type { Config } from '../config.ts';
import { withDatabase } from '../database.ts';
import { readGeoJson } from '../harbour/geojson.ts';
import { importHarbours } from '../harbour/import.ts';
import type { Terminal } from './terminal.ts';

const MOST_BYTES = 64 * 1024 * 1024;

/** `mervare harbour import FILE`: merges a file into the register, all or nothing, and says what changed. */
export async function importFile(file: string, config: Config, { print }: Terminal): Promise<void> {
  const { size } = await stat(file);
  if (size > MOST_BYTES) throw new Refusal('invalid_input', `The file has more than ${MOST_BYTES} bytes.`);
  const statements = readGeoJson(await readFile(file, 'utf8'));
  const { added, changed, unchanged } = await withDatabase(config, ({ store }) =>
    importHarbours(store.db, statements),
  );
  print(`${added} added, ${changed} changed, ${unchanged} unchanged.`);
}
