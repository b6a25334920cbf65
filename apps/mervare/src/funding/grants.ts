import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { hashOf, newSecret } from '../people/secret.ts';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import { SECRET_PREFIX } from './credentials.ts';
import { stamp, tell } from './journal.ts';
import { visibleTo, type Member } from './member.ts';
import type { GrantRole } from './roles.ts';
import { requireRunning } from './security.ts';
import { requireWorkspace } from './workspaces.ts';
import type { SiteTables } from '../tables.ts';

/** Access to one workspace, as a super admin sees it: never its secret. */
export interface Grant {
  readonly id: string;
  readonly workspace: string;
  readonly role: GrantRole;
  readonly name: string;
  /** E-mail of the person who holds it; whoever has the secret holds the others. */
  readonly email: string | null;
  readonly by: string;
  readonly at: Date;
  readonly revokedBy: string | null;
  readonly revokedAt: Date | null;
}

const grant: RawBuilder<Grant> = sql<Grant>`g.id, g.workspace, g.role, g.name, person.email, g."by", g.at,
  g.revoked_by as "revokedBy", g.revoked_at as "revokedAt"`;

/** What a new grant is to be. */
export interface NewGrant {
  readonly workspace: string;
  readonly role: GrantRole;
  readonly name: string;
  /** Of the person who gets it; without one it is a credential with a secret of its own. */
  readonly email?: string | undefined;
}

/**
 * Lets a person, or whoever gets the secret, work in one workspace. The secret is in this answer only: its hash is kept. Throws a
 * Refusal for a name that was used before, a person who is not known, and one who has a grant.
 */
export async function createGrant(
  tx: Transaction<SiteTables>,
  member: Member,
  { email, ...wanted }: NewGrant,
  now: number,
): Promise<Grant & { readonly secret: string | null }> {
  await requireRunning(tx);
  await requireWorkspace(tx, member, wanted.workspace);
  const person = email === undefined ? null : await personWith(tx, email);
  const secret = person === null ? newSecret(SECRET_PREFIX) : null;
  const row = { ...stamp(member, now), ...wanted };
  const added = await tx
    .insertInto('funding_grant')
    .values({ ...row, person, secret_hash: secret === null ? null : hashOf(secret) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added)
    throw new Refusal(
      'conflict',
      'The name was used before, or the person has a grant. See funding_collaborator_grant_list.',
    );
  await tell(tx, member, { workspace: row.workspace, kind: 'grant', subject: row.id, what: 'created' }, now);
  return { ...row, email: email ?? null, revokedBy: null, revokedAt: null, secret };
}

async function personWith(tx: Transaction<SiteTables>, email: string): Promise<string> {
  const found = await tx
    .selectFrom('person')
    .select('id')
    .where('email', '=', email.toLowerCase())
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (found) return found.id;
  throw new Refusal(
    'not_found',
    'Nobody with this e-mail has an account. Super admins see them in /admin/users.',
  );
}

/** Ends a grant: its next call is refused. Ending it again changes nothing. */
export async function revokeGrant(
  tx: Transaction<SiteTables>,
  member: Member,
  id: string,
  now: number,
): Promise<Grant> {
  await requireRunning(tx);
  const { rows } =
    await sql<Grant>`select ${grant} from funding_grant g left join person on person.id = g.person
    where g.id = ${id} and ${visibleTo(member, 'g.workspace')} for update of g`.execute(tx);
  const [before] = rows;
  if (!before)
    throw new Refusal('not_found', 'There is no such grant. Find ids with funding_collaborator_grant_list.');
  if (before.revokedAt !== null) return before;
  const revoked = { revoked_by: member.by, revoked_at: new Date(now) };
  await tx.updateTable('funding_grant').set(revoked).where('id', '=', id).execute();
  const { workspace } = before;
  await tell(tx, member, { workspace, kind: 'grant', subject: id, what: 'revoked' }, now);
  return { ...before, revokedBy: revoked.revoked_by, revokedAt: revoked.revoked_at };
}

/** The grants of one workspace, the newest first. */
export async function listGrants(
  db: Kysely<SiteTables>,
  member: Member,
  asked: { readonly workspace: string; readonly includeRevoked: boolean },
  paging: Paging,
): Promise<Page<Grant>> {
  await requireWorkspace(db, member, asked.workspace);
  return newestFirst(paging, 'grants', asked, async (limit, before) => {
    const { rows } = await sql<Grant>`
      select ${grant} from funding_grant g left join person on person.id = g.person
      where g.workspace = ${asked.workspace}
        ${asked.includeRevoked ? sql`` : sql`and g.revoked_at is null`}
        ${before === undefined ? sql`` : sql`and g.id < ${before}`}
      order by g.id desc limit ${limit}`.execute(db);
    return rows;
  });
}
