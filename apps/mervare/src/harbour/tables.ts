import { sql, type Kysely } from 'kysely';
import type { HarbourRow } from './record.ts';

/** The table, as the site's own code reads and writes it. */
export interface HarbourTables {
  harbour: HarbourRow;
}

/** What anonymous callers read: one view, whose columns are named one by one. */
export interface PublicTables {
  public_harbour: HarbourRow;
}

/** Migration: the table, and the view that is open to the anonymous role. A later column stays private until a migration adds it to the view. */
export async function createHarbours(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table harbour (
      locode text primary key check (locode ~ '^[A-Z]{2}[A-Z2-9]{3}$'),
      slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
      name text not null check (length(name) between 1 and 200),
      city text check (length(city) between 1 and 200),
      province text check (length(province) between 1 and 200),
      country text not null check (length(country) between 1 and 200),
      latitude double precision check (latitude between -90 and 90),
      longitude double precision check (longitude between -180 and 180),
      timezone text check (length(timezone) between 1 and 100),
      aliases text[] not null,
      other_locodes text[] not null,
      customs_code text check (customs_code ~ '^[0-9]{4,5}$'),
      services text[] check (cardinality(services) > 0),
      depth_m double precision check (depth_m > 0 and depth_m < 1000),
      source text not null check (length(source) between 1 and 200),
      name_folded text not null,
      country_folded text not null,
      other_names text[] not null,
      search_text text not null,
      check ((latitude is null) = (longitude is null))
    )`.execute(db);
  await sql`
    create view public_harbour as
      select locode, slug, name, city, province, country, latitude, longitude, timezone, aliases, other_locodes,
        customs_code, services, depth_m, source, name_folded, country_folded, other_names, search_text
      from harbour`.execute(db);
}

/** Migration: what a search near a place, and one by a name, begin with. */
export async function indexHarbours(db: Kysely<unknown>): Promise<void> {
  await sql`create index harbour_latitude on harbour (latitude)`.execute(db);
  await sql`create index harbour_name on harbour (name_folded)`.execute(db);
  await sql`create index harbour_other_names on harbour using gin (other_names)`.execute(db);
}

/** The database role behind every anonymous read. It may SELECT from the one view and from nothing else. */
export const ANONYMOUS_ROLE = { name: 'anonymous', select: ['public_harbour'] } as const;
