import { sql, type Kysely, type Transaction } from 'kysely';
import { requireVersion } from '../versions/version.ts';
import { stamp, tell } from './journal.ts';
import type { Member } from './member.ts';
import { holdResource, type Resource, type ResourceFacts } from './resources.ts';
import type { ResourceStatus } from './tables.ts';
import type { SiteTables } from '../tables.ts';

/** What a fact said before it was put right. */
export interface Correction {
  readonly id: string;
  readonly field: keyof ResourceFacts;
  readonly oldValue: string | number | null;
  readonly newValue: string | number | null;
  readonly why: string;
  readonly by: string;
  readonly at: Date;
}

/** A change of a resource as somebody has read it. */
interface OfResource {
  readonly resource: string;
  readonly expectedVersion: number;
}

/** Moves a resource on. Throws a Refusal when it is not as it was read. */
export async function setStatus(
  tx: Transaction<SiteTables>,
  member: Member,
  { resource: id, expectedVersion, status }: OfResource & { readonly status: ResourceStatus },
  now: number,
): Promise<Resource> {
  const before = await holdResource(tx, member, id);
  requireVersion(before, expectedVersion);
  const version = before.version + 1;
  await tx.updateTable('funding_resource').set({ status, version }).where('id', '=', id).execute();
  await tell(tx, member, { workspace: before.workspace, kind: 'resource', subject: id, what: 'status' }, now);
  return { ...before, status, version };
}

/** One fact, with the value that is right. */
export type Fact = {
  [Field in keyof ResourceFacts]: { readonly field: Field; readonly value: ResourceFacts[Field] };
}[keyof ResourceFacts];

/** Puts one fact right; what it said before stays, with the reason. Throws a Refusal when the resource is not as it was read. */
export async function correct(
  tx: Transaction<SiteTables>,
  member: Member,
  { resource: id, expectedVersion, fact, why }: OfResource & { readonly fact: Fact; readonly why: string },
  now: number,
): Promise<Resource> {
  const before = await holdResource(tx, member, id);
  requireVersion(before, expectedVersion);
  const { field, value } = fact;
  const version = before.version + 1;
  await tx
    .insertInto('funding_correction')
    .values({
      ...stamp(member, now),
      resource: id,
      field,
      old_value: JSON.stringify(before[field]),
      new_value: JSON.stringify(value),
      why,
    })
    .execute();
  const column = field === 'amountEur' ? 'amount_eur' : field;
  await tx
    .updateTable('funding_resource')
    .set({ [column]: value, version })
    .where('id', '=', id)
    .execute();
  const { workspace } = before;
  await tell(tx, member, { workspace, kind: 'resource', subject: id, what: 'corrected' }, now);
  return { ...before, [field]: value, version };
}

/** The latest corrections of a resource, the newest first. */
export async function correctionsOf(
  db: Kysely<SiteTables>,
  resource: string,
  limit: number,
): Promise<Correction[]> {
  const { rows } = await sql<Correction>`
    select id, field, old_value as "oldValue", new_value as "newValue", why, "by", at
    from funding_correction where resource = ${resource} order by id desc limit ${limit}`.execute(db);
  return rows;
}
