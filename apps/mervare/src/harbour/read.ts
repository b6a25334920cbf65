import type { Kysely } from 'kysely';
import { kmFrom } from './distance.ts';
import { fold } from './fold.ts';
import type { HarbourRow } from './record.ts';
import type { PublicTables } from './tables.ts';

/** A harbour beside its closest neighbours, the nearest first. */
export interface HarbourWithNeighbours {
  readonly harbour: HarbourRow;
  readonly neighbours: readonly (HarbourRow & { readonly distanceKm: number })[];
}

/** How far a neighbour may be, and how many are told. */
const NEIGHBOURS = { withinKm: 150, most: 6 } as const;

/**
 * One harbour by its slug or LOCODE, or undefined. The LOCODE that ends a slug is the identity:
 * an address with an outdated name still finds its harbour.
 */
export async function readHarbour(
  db: Kysely<PublicTables>,
  slugOrLocode: string,
): Promise<HarbourWithNeighbours | undefined> {
  const locode = /(?:^| )([a-z]{2}[a-z2-9]{3})$/.exec(fold(slugOrLocode))?.[1]?.toUpperCase();
  if (locode === undefined) return undefined;
  const harbour = await db
    .selectFrom('public_harbour')
    .selectAll()
    .where('locode', '=', locode)
    .executeTakeFirst();
  return harbour && { harbour, neighbours: await neighboursOf(db, harbour) };
}

async function neighboursOf(db: Kysely<PublicTables>, { locode, latitude, longitude }: HarbourRow) {
  if (latitude === null || longitude === null) return [];
  const distance = kmFrom({ lat: latitude, lon: longitude });
  return db
    .selectFrom('public_harbour')
    .selectAll()
    .select(distance.as('distanceKm'))
    .where('locode', '!=', locode)
    .where(distance, '<=', NEIGHBOURS.withinKm)
    .orderBy('distanceKm')
    .orderBy('locode')
    .limit(NEIGHBOURS.most)
    .execute();
}
