import { sql, type Kysely } from 'kysely';
import type { PublicTables } from './tables.ts';

/** The whole register in figures. */
export interface HarbourStats {
  readonly harbours: number;
  readonly countries: number;
  /** How many harbours have each fact that may be absent. */
  readonly recorded: {
    readonly position: number;
    readonly province: number;
    readonly timezone: number;
    readonly customsCode: number;
    readonly services: number;
    readonly depth: number;
  };
  /** The countries with most harbours, the largest first. */
  readonly largest: { readonly country: string; readonly harbours: number }[];
}

const LARGEST = 10;

export async function harbourStats(db: Kysely<PublicTables>): Promise<HarbourStats> {
  const [figures, largest] = await Promise.all([
    db
      .selectFrom('public_harbour')
      .select([
        sql<number>`count(*)::int`.as('harbours'),
        sql<number>`count(distinct country)::int`.as('countries'),
        sql<number>`count(latitude)::int`.as('position'),
        sql<number>`count(province)::int`.as('province'),
        sql<number>`count(timezone)::int`.as('timezone'),
        sql<number>`count(customs_code)::int`.as('customsCode'),
        sql<number>`count(services)::int`.as('services'),
        sql<number>`count(depth_m)::int`.as('depth'),
      ])
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('public_harbour')
      .select(['country', sql<number>`count(*)::int`.as('harbours')])
      .groupBy('country')
      .orderBy('harbours', 'desc')
      .orderBy(sql`country collate "C"`)
      .limit(LARGEST)
      .execute(),
  ]);
  const { harbours, countries, ...recorded } = figures;
  return { harbours, countries, recorded, largest };
}
