import type { ThrottleStore } from '@portolan/http';
import { CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** The table in which all nodes count together. */
export function throttleStore(db: Kysely<Tables>): ThrottleStore {
  return {
    schema: 'sveda',
    query: ({ text, values }) => db.executeQuery(CompiledQuery.raw(text, [...values])),
  };
}
