import type { Kysely } from 'kysely';
import { newId } from '@portolan/store';
import type { SiteTables } from '../tables.ts';

/** Who did something, as far as the audit trail keeps it; a `Caller` is one. */
export interface Actor {
  /** Kind of the credential; `page` for a person on a page of the site. */
  readonly kind: string;
  readonly name: string;
  readonly person?: string;
}

/** Who does something, and when in epoch milliseconds. */
export interface Hand {
  readonly by: Actor;
  readonly now: number;
}

/** One thing that was done. Only ids: never what was said, and never a secret. */
export interface Deed {
  readonly by: Actor;
  /** Name of the tool, or of the page's action such as `admin.builder_grant`. */
  readonly action: string;
  readonly ids: readonly string[];
  /** Of how many things the ids are the first and the last, where they are too many to be named. */
  readonly count?: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Writes one row of the audit trail. Give it the transaction of the deed itself, so that neither stands without the other. */
export async function recordAudit(
  db: Kysely<SiteTables>,
  { by, action, ids, count, at }: Deed,
): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      id: newId(at),
      at: new Date(at),
      credential: by.kind,
      who: by.name,
      person: by.person ?? null,
      action,
      ids: [...ids],
      count: count ?? null,
    })
    .execute();
}
