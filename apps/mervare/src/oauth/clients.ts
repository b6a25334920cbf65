import { sql } from 'kysely';
import type { Keeping } from './keeping.ts';
import { lifetimes } from './lifetimes.ts';

/** A client as an administrator sees it. */
export interface ClientSummary {
  readonly id: string;
  readonly kind: 'registered' | 'document';
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  /** How many connections people have with it. */
  readonly connections: number;
}

/** How many clients one page of the list shows. */
const SHOWN = 200;

/** Notes a client that has a metadata document when somebody allows it something. */
export async function keepDocumentClient({ db, now }: Keeping, id: string, name: string): Promise<void> {
  if (!id.startsWith('https://')) return;
  await db
    .insertInto('oauth_client')
    .values({
      id,
      kind: 'document',
      name: name.slice(0, 200),
      metadata: '{}',
      created_at: new Date(now()),
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name: name.slice(0, 200) }))
    .execute();
}

/** The clients, those with connections first, then the newest, and how many there are in all. */
export async function listClients({
  db,
}: Pick<Keeping, 'db'>): Promise<{ readonly clients: ClientSummary[]; readonly total: number }> {
  const { rows } = await sql<ClientSummary & { total: number }>`
    select id, kind, name, created_at as "createdAt", last_used_at as "lastUsedAt",
      (select count(*) from oauth_grant where client_id = oauth_client.id) as connections,
      count(*) over () as total
    from oauth_client order by (last_used_at is null), created_at desc, id limit ${SHOWN}`.execute(db);
  return { clients: rows, total: rows[0]?.total ?? 0 };
}

/** Removes a client and all that people allowed it. False when there is none. */
export async function removeClient({ db }: Pick<Keeping, 'db'>, id: string): Promise<boolean> {
  const removed = await db.deleteFrom('oauth_client').where('id', '=', id).executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

/**
 * Removes what has ended: secrets past their time; grants that nothing can be got with any more; clients without a connection
 * that were not used for as long as unused clients are kept, and the oldest of more than `unusedKept` that never were.
 */
export async function sweepOauth({ db, now }: Keeping, unusedKept = 10_000): Promise<{ clients: number }> {
  const at = new Date(now());
  // Leaves a grant alone whose first code is about to be made.
  const settled = new Date(at.getTime() - 3_600_000);
  const unused = new Date(at.getTime() - lifetimes.unusedClient * 1000);
  await db.deleteFrom('oauth_artifact').where('expires_at', '<', at).execute();
  await db.deleteFrom('oauth_access_token').where('expires_at', '<', at).execute();
  await sql`delete from oauth_grant where expires_at < ${at} or (last_used_at < ${settled}
    and not exists (select from oauth_artifact where grant_id = oauth_grant.id)
    and not exists (select from oauth_access_token where grant_id = oauth_grant.id))`.execute(db);
  const { numAffectedRows = 0n } = await sql`
    delete from oauth_client where not exists (select from oauth_grant where client_id = oauth_client.id)
      and (coalesce(last_used_at, created_at) < ${unused} or id in (
        select id from oauth_client where last_used_at is null order by created_at desc, id offset ${unusedKept}
      ))`.execute(db);
  return { clients: Number(numAffectedRows) };
}
