import { Refusal } from '@portolan/mcp/tool';
import { askPrepared } from '@portolan/store';
import { sql, type Kysely } from 'kysely';
import type { Position } from './distance.ts';
import { fold } from './fold.ts';
import type { HarbourRow } from './record.ts';
import type { PublicTables } from './tables.ts';

/** A place from which distances count. */
export interface Place extends Position {
  /** The harbour that gave the position, when it was named. */
  readonly slug?: string;
}

/**
 * The position of the harbour that a name, slug or LOCODE stands for; the closest reading of a name wins.
 * Throws a Refusal when no harbour is called so, when several are, or when the only one has no recorded position.
 */
export async function placeNamed(db: Kysely<PublicTables>, name: string): Promise<Place> {
  const called = await harboursCalled(db, name);
  const [first] = called;
  if (!first) throw new Refusal('not_found', `No harbour is called “${name}”. Give lat and lon instead.`);
  const sites = new Set(called.map(({ latitude, longitude }) => `${latitude} ${longitude}`));
  if (sites.size > 1) throw ambiguous(name, called);
  const { slug, latitude: lat, longitude: lon } = first;
  if (lat === null || lon === null)
    throw new Refusal('not_found', `${first.name} has no recorded position. Give lat and lon instead.`);
  return { lat, lon, slug };
}

interface Called extends Pick<HarbourRow, 'slug' | 'name' | 'country' | 'latitude' | 'longitude'> {
  readonly fit: number;
}

/** The harbours that fit a name best: by code, else by their whole name, else by a part or an alias of it. */
async function harboursCalled(db: Kysely<PublicTables>, name: string): Promise<Called[]> {
  const folded = fold(name);
  const coded = sql`slug = ${folded.replaceAll(' ', '-')} or locode = ${folded.replaceAll(' ', '').toUpperCase()}`;
  const called = await askPrepared<Called>(
    db,
    sql`select slug, name, country, latitude, longitude,
        case when ${coded} then 1 when name_folded = ${folded} then 2 else 3 end as fit
      from public_harbour
      where ${coded} or name_folded = ${folded} or other_names @> array[${folded}]::text[]
      order by fit, slug`,
  );
  return called.filter(({ fit }) => fit === called[0]?.fit);
}

function ambiguous(name: string, called: readonly { slug: string; country: string }[]): Refusal {
  const shown = called.slice(0, 8).map(({ slug, country }) => `${slug} (${country})`);
  return new Refusal(
    'invalid_input',
    `Several harbours are called “${name}”. Give one of these slugs: ${shown.join(', ')}.`,
  );
}
