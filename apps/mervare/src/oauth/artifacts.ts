import { sql, type Kysely } from 'kysely';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { hashOf } from '../people/secret.ts';
import type { SiteTables } from '../tables.ts';
import { invalidGrant } from './invalid-grant.ts';
import { unasked, type Keeping } from './keeping.ts';
import { lifetimes } from './lifetimes.ts';
import { dropSurplus, PENDING } from './pending.ts';

/** Codes, refresh tokens and interactions, each kept under the hash of its secret. */
export function artifacts(kind: string, { db, now }: Keeping): Adapter {
  const row = (id: string) => sql<boolean>`kind = ${kind} and id_hash = ${hashOf(id)}`;
  return {
    ...unasked,
    async upsert(id, payload, expiresIn = 0) {
      const kept = { payload: conceal(payload, id), expires_at: new Date(now() + expiresIn * 1000) };
      await db
        .insertInto('oauth_artifact')
        .values({ kind, id_hash: hashOf(id), grant_id: payload.grantId ?? null, ...kept })
        .onConflict((conflict) => conflict.columns(['kind', 'id_hash']).doUpdateSet(kept))
        .execute()
        .catch(grantIsGone);
      if (kind === PENDING) await dropSurplus(db);
    },

    async find(id) {
      const found = await db
        .selectFrom('oauth_artifact')
        .select(['payload', 'consumed_at'])
        .where(row(id))
        .executeTakeFirst();
      if (!found) return undefined;
      const payload = reveal(found.payload, id);
      return isConsumed(kind, found.consumed_at, now()) ? { ...payload, consumed: true } : payload;
    },

    async consume(id) {
      const first = await db
        .updateTable('oauth_artifact')
        .set({ consumed_at: new Date(now()) })
        .where(row(id))
        .where('consumed_at', 'is', null)
        .executeTakeFirst();
      if (first.numUpdatedRows === 0n && !REUSABLE.has(kind)) await endFamily(db, kind, id);
    },

    async destroy(id) {
      await db.deleteFrom('oauth_artifact').where(row(id)).execute();
    },

    revokeByGrantId: withItsGrant,
  };
}

/** What may be used again for a while after its first use. */
const REUSABLE = new Set(['RefreshToken']);

/**
 * A used refresh token passes as unused for a moment that begins at its first use: two processes of a client may refresh at
 * once, and an answer may get lost on its way.
 */
function isConsumed(kind: string, consumedAt: Date | null, now: number): boolean {
  if (consumedAt === null) return false;
  return !REUSABLE.has(kind) || now > consumedAt.getTime() + lifetimes.refreshGrace * 1000;
}

/** Two came with one code at the same moment, so it is in two hands: neither keeps anything. */
async function endFamily(db: Kysely<SiteTables>, kind: string, id: string): Promise<never> {
  await sql`delete from oauth_grant where id in (
    select grant_id from oauth_artifact where kind = ${kind} and id_hash = ${hashOf(id)})`.execute(db);
  throw invalidGrant('used twice at once');
}

/** The grant was revoked between two steps of one request: for the client the same as a moment earlier. */
export function grantIsGone(error: unknown): never {
  if ((error as { code?: unknown }).code === FOREIGN_KEY_VIOLATION) throw invalidGrant('grant revoked');
  throw error;
}

const FOREIGN_KEY_VIOLATION = '23503';

function conceal(payload: AdapterPayload, id: string): string {
  return JSON.stringify(payload).replaceAll(id, standIn(id));
}

function reveal(payload: object, id: string): AdapterPayload {
  return JSON.parse(JSON.stringify(payload).replaceAll(standIn(id), id)) as AdapterPayload;
}

/**
 * Stands in a kept payload for the secret itself, which appears in it as an id and in addresses. Nobody can write it into a
 * parameter of the request that the secret is made for.
 */
function standIn(id: string): string {
  return hashOf(id).toString('hex');
}

/** Nothing is left to do here: what hangs on a grant goes with the grant, which is ended in the same breath. */
export async function withItsGrant(): Promise<void> {}
