import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { unseal, type HostCredentials } from './seal.ts';
import type { AppKeys } from './keys.ts';
import { readToken, type Claims } from './token.ts';

/** A visitor whose token was checked for this request, with the host credentials that came with it. */
export interface Visitor extends Claims {
  readonly host: HostCredentials | undefined;
}

/** What is stored of a token: its sealed credentials, and that it was revoked. */
export function tokenStore(db: Kysely<Tables>, keys: AppKeys) {
  return {
    /** Keeps the credentials of a token. */
    async keep(claims: Claims, sealed: Buffer): Promise<void> {
      await db
        .insertInto('embed_token')
        .values({ ...row(claims), host_mcp: sealed, revoked_at: null })
        .execute();
    },
    /** Forgets the credentials of tokens that are over, and that they were revoked. */
    async forget(now: Date): Promise<void> {
      await db.deleteFrom('embed_token').where('expires_at', '<', now).execute();
    },
    /** The visitor of a token that is genuine, alive and not revoked. */
    async visitor(token: string, now: Date): Promise<Visitor | undefined> {
      const claims = readToken(token, keys, now);
      if (!claims) return undefined;
      const stored = await db
        .selectFrom('embed_token')
        .select(['host_mcp', 'revoked_at'])
        .where('id', '=', claims.id)
        .executeTakeFirst();
      if (stored?.revoked_at) return undefined;
      const host = stored?.host_mcp ? unseal(stored.host_mcp, claims.id, keys) : undefined;
      return { ...claims, host };
    },
    /** Ends a token, credentials included. A token that is not ours or is over needs no ending. */
    async revoke(token: string, now: Date): Promise<void> {
      const claims = readToken(token, keys, now);
      if (!claims) return;
      await db
        .insertInto('embed_token')
        .values({ ...row(claims), host_mcp: null, revoked_at: now })
        .onConflict((on) => on.column('id').doUpdateSet({ host_mcp: null, revoked_at: now }))
        .execute();
    },
  };
}

export type TokenStore = ReturnType<typeof tokenStore>;

function row({ id, visitor, expires }: Claims) {
  return { id, visitor_id: visitor, expires_at: new Date(expires * 1000) };
}
