import type { ThrottleStore } from '@portolan/http';
import { CompiledQuery, type Kysely } from 'kysely';
import type { SiteTables } from '../tables.ts';

/** Where tries are counted over all nodes. */
export function triesIn(db: Kysely<SiteTables>): ThrottleStore {
  return {
    schema: 'mervare',
    query: ({ text, values }) => db.executeQuery(CompiledQuery.raw(text, [...values])),
  };
}
