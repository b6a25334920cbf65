import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Scope } from '../mcp/vocabulary.ts';
import { hashPassword } from '../people/password.ts';
import { hashOf, newSecret } from '../people/secret.ts';
import type { SiteTables } from '../tables.ts';

interface Wanted {
  readonly email: string;
  readonly superAdmin?: boolean;
  readonly builder?: boolean;
  /** Without one nobody can sign in as this person. */
  readonly password?: string;
}

/** About a hundredth of what a guess costs outside of tests. */
const cheap = { N: 2 ** 10, r: 8, p: 1 };

/** A person with these rights; the id. */
export async function plantPerson(
  db: Kysely<SiteTables>,
  { email, superAdmin = false, builder = false, password }: Wanted,
): Promise<string> {
  const id = randomUUID();
  const created_at = new Date();
  const kept = password === undefined ? null : await hashPassword(password, cheap);
  const person = { id, email, name: email, password: kept, is_super_admin: superAdmin, created_at };
  await db
    .insertInto('person')
    .values({ ...person, disabled_at: null })
    .execute();
  if (builder)
    await db
      .insertInto('builder_grant')
      .values({ person: id, granted_by: null, granted_at: created_at })
      .execute();
  return id;
}

interface Connection {
  readonly person: string;
  readonly scopes: readonly Scope[];
  readonly audience: string;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
}

/** An access token as the authorization server would have issued it. */
export async function plantToken(
  db: Kysely<SiteTables>,
  { person, scopes, audience, expiresAt = new Date(Date.now() + 600_000), revokedAt }: Connection,
): Promise<string> {
  const token = newSecret();
  const [client, grant, at] = [randomUUID(), randomUUID(), new Date()];
  await db
    .insertInto('oauth_client')
    .values({
      id: client,
      kind: 'registered',
      name: 'A client',
      metadata: '{}',
      created_at: at,
      last_used_at: at,
    })
    .execute();
  const common = {
    client_id: client,
    person_id: person,
    audience,
    scopes: [...scopes],
    expires_at: expiresAt,
  };
  await db
    .insertInto('oauth_grant')
    .values({ ...common, id: grant, payload: '{}', created_at: at, last_used_at: at })
    .execute();
  await db
    .insertInto('oauth_access_token')
    .values({
      ...common,
      token_hash: hashOf(token),
      grant_id: grant,
      issued_at: at,
      revoked_at: revokedAt ?? null,
    })
    .execute();
  return token;
}
