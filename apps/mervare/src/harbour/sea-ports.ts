import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { toRow, type HarbourRecord } from './record.ts';
import type { HarbourTables } from './tables.ts';

/** One entry of the package's list. Its keys are LOCODEs; coordinates are longitude first. */
const Entry = z.object({
  name: z.string(),
  city: z.string(),
  country: z.string(),
  province: z.string().optional(),
  coordinates: z.tuple([z.number(), z.number()]).optional(),
  timezone: z.string().optional(),
  alias: z.array(z.string()),
  unlocs: z.array(z.string()),
  code: z.string().optional(),
});

/** Migration: the ports of the npm package sea-ports 0.0.9, so that a new site answers from real data. */
export async function loadSeaPorts(db: Kysely<unknown>): Promise<void> {
  const rows = seaPorts().map((record) => toRow(record, 'sea-ports'));
  await (db as Kysely<HarbourTables>).insertInto('harbour').values(rows).execute();
}

/** Every port of the package, in its own order. Facts that it lacks are absent here too. */
export function seaPorts(): HarbourRecord[] {
  const file = createRequire(import.meta.url).resolve('sea-ports/lib/ports.json');
  const list: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(z.record(z.string(), Entry).parse(list)).map(([locode, port]) =>
    toRecord(locode, port),
  );
}

function toRecord(locode: string, port: z.output<typeof Entry>): HarbourRecord {
  const [longitude = null, latitude = null] = port.coordinates ?? [];
  return {
    locode,
    name: port.name,
    country: port.country,
    city: port.city,
    province: port.province ?? null,
    latitude,
    longitude,
    timezone: port.timezone ?? null,
    aliases: port.alias,
    other_locodes: port.unlocs.filter((code) => code !== locode),
    customs_code: port.code ?? null,
    services: null,
    depth_m: null,
  };
}
