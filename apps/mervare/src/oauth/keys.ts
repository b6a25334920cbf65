import type { Kysely } from 'kysely';
import type { SiteTables } from '../tables.ts';

/** The keys of the authorization server, the same on every node. */
export interface Keys {
  /** A private key as a JWK. */
  readonly signing: object;
  readonly cookie: string;
}

/** Reads the keys that the migration made. */
export function readKeys(db: Kysely<SiteTables>): Promise<Keys> {
  return db.selectFrom('oauth_key').select(['signing', 'cookie']).executeTakeFirstOrThrow();
}
