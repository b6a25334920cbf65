import { sql, type ColumnType, type Kysely } from 'kysely';
import { oneOf } from '../columns/one-of.ts';

/** Kinds of vessel, as observers tell them apart. */
export const VESSEL_CLASSES = [
  'cargo',
  'tanker',
  'passenger',
  'fishing',
  'sailing',
  'motor_yacht',
  'service',
  'other',
] as const;

export type VesselClass = (typeof VESSEL_CLASSES)[number];

/** Observed harbour traffic: one row for one visit of one vessel. */
export interface LogbookTables {
  logbook_entry: {
    readonly id: string;
    /** System or person that observed it, as a short name. */
    readonly source: string;
    /** The source's own number of the visit. */
    readonly reference: string;
    /** LOCODE. */
    harbour: string;
    arrival: Instant | null;
    departure: Instant | null;
    vessel_class: VesselClass;
    length_m: number | null;
    recorded_at: Instant;
    /** The first of arrival and departure that is known: what periods go by. */
    readonly seen_at: ColumnType<Date, never, never>;
  };
}

type Instant = ColumnType<Date, Date, Date>;

/** Migration: the logbook. */
export async function createLogbook(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table logbook_entry (
      id uuid primary key,
      source text not null check (source ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
      reference text not null check (reference ~ '^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$'),
      harbour text not null references harbour,
      arrival timestamptz,
      departure timestamptz,
      vessel_class text not null check (vessel_class in (${oneOf(VESSEL_CLASSES)})),
      length_m double precision check (length_m > 0 and length_m < 500),
      recorded_at timestamptz not null,
      seen_at timestamptz not null generated always as (coalesce(arrival, departure)) stored,
      check (arrival <= departure),
      unique (source, reference)
    )`.execute(db);
  await sql`create index logbook_entry_newest on logbook_entry (seen_at desc, id desc)`.execute(db);
  await sql`create index logbook_entry_harbour on logbook_entry (harbour, seen_at desc, id desc)`.execute(db);
}
