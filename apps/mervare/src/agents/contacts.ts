import { Refusal } from '@portolan/mcp/tool';
import type { Kysely, Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';
import { requireVersion } from '../versions/version.ts';
import { stamp, tell } from './events.ts';
import type { ContactStage } from './tables.ts';

/** Somebody whom the agents are in contact with, and how far they are. */
export interface Contact {
  readonly id: string;
  readonly name: string;
  readonly organisation: string | null;
  readonly stage: ContactStage;
  readonly note: string | null;
  readonly by: string;
  readonly at: Date;
  readonly updatedAt: Date;
  readonly version: number;
}

const columns = [
  'id',
  'name',
  'organisation',
  'stage',
  'note',
  'by',
  'at',
  'updated_at as updatedAt',
  'version',
] as const;

/** How far a contact is now. */
export type ContactState = Pick<Contact, 'organisation' | 'stage' | 'note'>;

/** Enters a contact into the pipeline. */
export async function addContact(
  tx: Transaction<SiteTables>,
  by: string,
  said: ContactState & Pick<Contact, 'name'>,
  now: number,
): Promise<Contact> {
  const first = { ...stamp(by, now), ...said, version: 1 };
  await tx
    .insertInto('agent_contact')
    .values({ ...first, updated_at: first.at })
    .execute();
  await tell(tx, by, { kind: 'contact', subject: first.id, what: said.stage }, now);
  return { ...first, updatedAt: first.at };
}

/** Moves a contact in the pipeline. Throws a Refusal when it is not as it was read. */
export async function moveContact(
  tx: Transaction<SiteTables>,
  by: string,
  { id, expectedVersion, ...said }: ContactState & { readonly id: string; readonly expectedVersion: number },
  now: number,
): Promise<Contact> {
  const before = await tx
    .selectFrom('agent_contact')
    .select(columns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!before)
    throw new Refusal('not_found', 'There is no such contact. Find ids with agent_contact_pipeline_list.');
  requireVersion(before, expectedVersion);
  const version = expectedVersion + 1;
  await tx
    .updateTable('agent_contact')
    .set({ ...said, updated_at: new Date(now), version })
    .where('id', '=', id)
    .execute();
  await tell(tx, by, { kind: 'contact', subject: id, what: said.stage }, now);
  return { ...before, ...said, updatedAt: new Date(now), version };
}

/** Contacts, the newest first. */
export function listContacts(
  db: Kysely<SiteTables>,
  asked: { readonly stage?: ContactStage | undefined },
  paging: Paging,
): Promise<Page<Contact>> {
  const { stage } = asked;
  return newestFirst(paging, 'contacts', asked, (limit, before) =>
    db
      .selectFrom('agent_contact')
      .select(columns)
      .$if(stage !== undefined, (all) => all.where('stage', '=', stage ?? 'lead'))
      .$if(before !== undefined, (all) => all.where('id', '<', before ?? ''))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  );
}
