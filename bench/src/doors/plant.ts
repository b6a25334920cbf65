import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Client } from 'pg';

/** Access tokens of an administrator and of somebody without any right, as the authorization server would have issued them. */
export interface Tokens {
  readonly admin: string;
  readonly member: string;
}

/** Gives two people a connection each at this address, which lasts longer than the run. */
export async function plantPeople(client: Client, audience: string): Promise<Tokens> {
  const admin = await plantPerson(client, { audience, email: 'admin@example.com', isAdmin: true });
  const member = await plantPerson(client, { audience, email: 'member@example.com', isAdmin: false });
  return { admin, member };
}

interface Wanted {
  readonly audience: string;
  readonly email: string;
  readonly isAdmin: boolean;
}

async function plantPerson(client: Client, { audience, email, isAdmin }: Wanted): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(token).digest();
  const [person, id] = [randomUUID(), randomUUID()];
  const scopes = isAdmin
    ? ['author', 'publisher', 'analyst', 'reader', 'harbour', 'discovery', 'control', 'funding']
    : ['discovery'];
  await client.query(
    `insert into person (id, email, name, is_super_admin, created_at) values ($1, $2, $2, $3, now())`,
    [person, email, isAdmin],
  );
  await client.query(
    `insert into oauth_client (id, kind, name, metadata, created_at, last_used_at)
     values ($1, 'registered', 'bench', '{}', now(), now())`,
    [id],
  );
  await client.query(
    `insert into oauth_grant (id, client_id, person_id, audience, scopes, payload, created_at, expires_at, last_used_at)
     values ($1, $1, $2, $3, $4, '{}', now(), now() + interval '1 day', now())`,
    [id, person, audience, scopes],
  );
  await client.query(
    `insert into oauth_access_token (token_hash, grant_id, client_id, person_id, audience, scopes, issued_at, expires_at)
     values ($1, $2, $2, $3, $4, $5, now(), now() + interval '1 day')`,
    [hash, id, person, audience, scopes],
  );
  return token;
}

/** Adds people, clients, grants and their tokens until there are so many of each, and leaves the tables as autovacuum would. */
export async function growTo(client: Client, total: number, audience: string): Promise<void> {
  const { rows } = await client.query<{ n: number }>('select count(*)::int as n from oauth_grant');
  const there = rows[0]?.n ?? 0;
  const more = `from generate_series(${there + 1}, ${total}) n`;
  const id = `md5('planted ' || n)`;
  await client.query(`insert into person (id, email, name, is_super_admin, created_at)
    select ${id}::uuid, 'p' || n || '@example.com', 'p' || n, false, now() ${more}`);
  await client.query(`insert into oauth_client (id, kind, name, metadata, created_at, last_used_at)
    select ${id}, 'registered', 'planted', '{}', now(), now() ${more}`);
  await client.query(
    `insert into oauth_grant (id, client_id, person_id, audience, scopes, payload, created_at, expires_at, last_used_at)
     select ${id}, ${id}, ${id}::uuid, $1, '{discovery}', '{}', now(), now() + interval '1 day', now() ${more}`,
    [audience],
  );
  await client.query(
    `insert into oauth_access_token (token_hash, grant_id, client_id, person_id, audience, scopes, issued_at, expires_at)
     select sha256(convert_to('planted ' || n, 'UTF8')), ${id}, ${id}, ${id}::uuid, $1, '{discovery}', now(),
       now() + interval '1 day' ${more}`,
    [audience],
  );
  for (const table of ['person', 'oauth_client', 'oauth_grant', 'oauth_access_token'])
    await client.query(`vacuum analyze ${table}`);
}
