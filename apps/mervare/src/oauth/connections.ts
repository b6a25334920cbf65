import { sql } from 'kysely';
import type { Scope } from '../mcp/vocabulary.ts';
import type { Keeping } from './keeping.ts';

/** What one person allowed one client. */
export interface Connection {
  readonly id: string;
  readonly clientName: string;
  readonly audience: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

/** The newest of a person's connections. */
export async function connectionsOf({ db, now }: Keeping, person: string): Promise<readonly Connection[]> {
  const { rows } = await sql<Connection>`
    select g.id, c.name as "clientName", g.audience, g.scopes, g.created_at as "createdAt",
      g.last_used_at as "lastUsedAt"
    from oauth_grant g join oauth_client c on c.id = g.client_id
    where g.person_id = ${person} and g.expires_at > ${new Date(now())}
    order by g.created_at desc, g.id limit 500`.execute(db);
  return rows;
}

/** Ends a connection of this person; its tokens stop working with the next call. False when there is none. */
export async function endConnection(
  { db }: Pick<Keeping, 'db'>,
  person: string,
  id: string,
): Promise<boolean> {
  const ended = await db
    .deleteFrom('oauth_grant')
    .where('id', '=', id)
    .where('person_id', '=', person)
    .executeTakeFirst();
  return ended.numDeletedRows > 0n;
}
