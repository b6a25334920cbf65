import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import { stamp, tell } from './journal.ts';
import { visibleTo, type Member } from './member.ts';
import { requireRunning } from './security.ts';
import type { ResourceKind, ResourceStatus } from './tables.ts';
import { requireWorkspace } from './workspaces.ts';
import type { SiteTables } from '../tables.ts';

/** What is stated about something that may fund the company. */
export interface ResourceFacts {
  readonly kind: ResourceKind;
  readonly name: string;
  readonly url: string | null;
  readonly summary: string | null;
  readonly amountEur: number | null;
  /** Day, ISO 8601. */
  readonly deadline: string | null;
}

export interface Resource extends ResourceFacts {
  readonly id: string;
  readonly workspace: string;
  readonly status: ResourceStatus;
  readonly version: number;
  readonly by: string;
  readonly at: Date;
}

const resource: RawBuilder<Resource> = sql<Resource>`id, workspace, kind, name, url, summary,
  amount_eur as "amountEur", deadline::text, status, version, "by", at`;

/** Adds a resource with the status `new`. */
export async function createResource(
  tx: Transaction<SiteTables>,
  member: Member,
  { workspace, facts }: { readonly workspace: string; readonly facts: ResourceFacts },
  now: number,
): Promise<Resource> {
  await requireRunning(tx);
  await requireWorkspace(tx, member, workspace);
  const { amountEur, ...same } = facts;
  const first = { ...stamp(member, now), workspace, status: 'new' as const, version: 1 };
  await tx
    .insertInto('funding_resource')
    .values({ ...first, ...same, amount_eur: amountEur })
    .execute();
  await tell(tx, member, { workspace, kind: 'resource', subject: first.id, what: 'created' }, now);
  return { ...first, ...facts };
}

/** Which resources of a workspace are asked for. */
export interface ResourcesAsked {
  readonly workspace: string;
  readonly status?: ResourceStatus | undefined;
  readonly kind?: ResourceKind | undefined;
}

/** Resources of one workspace, the newest first. */
export async function listResources(
  db: Kysely<SiteTables>,
  member: Member,
  asked: ResourcesAsked,
  paging: Paging,
): Promise<Page<Resource>> {
  const { workspace, status, kind } = asked;
  await requireWorkspace(db, member, workspace);
  const conditions = [
    sql`workspace = ${workspace}`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
  ];
  return newestFirst(paging, 'resources', asked, async (limit, before) => {
    const here = before === undefined ? conditions : [...conditions, sql`id < ${before}`];
    const { rows } = await sql<Resource>`select ${resource} from funding_resource
      where ${sql.join(here, sql` and `)} order by id desc limit ${limit}`.execute(db);
    return rows;
  });
}

/** One resource. Throws a Refusal where the member sees none with this id. */
export async function readResource(db: Kysely<SiteTables>, member: Member, id: string): Promise<Resource> {
  return found(db, member, id, sql``);
}

/** The same, kept as it is until the transaction ends. */
export async function holdResource(
  tx: Transaction<SiteTables>,
  member: Member,
  id: string,
): Promise<Resource> {
  await requireRunning(tx);
  return found(tx, member, id, sql`for update`);
}

async function found(
  db: Kysely<SiteTables>,
  member: Member,
  id: string,
  lock: RawBuilder<unknown>,
): Promise<Resource> {
  const { rows } = await sql<Resource>`select ${resource} from funding_resource
    where id = ${id} and ${visibleTo(member, 'workspace')} ${lock}`.execute(db);
  const [row] = rows;
  if (row) return row;
  throw new Refusal('not_found', 'There is no such resource. Find ids with funding_resource_list.');
}
