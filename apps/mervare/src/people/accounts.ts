import { randomUUID } from 'node:crypto';
import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type Transaction } from 'kysely';
import { recordAudit, type Hand } from '../audit/audit.ts';
import type { SiteTables } from '../tables.ts';
import { hashPassword, isPassword } from './password.ts';

export interface NewAccount {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly isSuperAdmin: boolean;
}

/** Makes an account; its id. Throws a Refusal for an address or a password that will not do, or an address that has one. */
export async function createAccount(
  db: Kysely<SiteTables>,
  { email, name, password, isSuperAdmin }: NewAccount,
  { by, now }: Hand,
): Promise<string> {
  const account = { email: addressOf(email), name: nameOf(name), password: await hashPassword(password) };
  const id = randomUUID();
  await db.transaction().execute(async (tx) => {
    const made = await tx
      .insertInto('person')
      .values({ id, ...account, is_super_admin: isSuperAdmin, created_at: new Date(now), disabled_at: null })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .executeTakeFirst();
    if (made.numInsertedOrUpdatedRows !== 1n)
      throw new Refusal('conflict', `There is an account with the address ${account.email} already.`);
    await recordAudit(tx, { by, action: 'account.create', ids: [id], at: now });
  });
  return id;
}

/** Makes the first super admin, unless there is one. Nodes that start together make one. */
export async function ensureSuperAdmin(
  db: Kysely<SiteTables>,
  account: Omit<NewAccount, 'isSuperAdmin'>,
  hand: Hand,
): Promise<void> {
  const there = await db
    .selectFrom('person')
    .select('id')
    .where('is_super_admin', '=', true)
    .limit(1)
    .execute();
  if (there.length > 0) return;
  await createAccount(db, { ...account, isSuperAdmin: true }, hand).catch((error: unknown) => {
    if (!(error instanceof Refusal && error.code === 'conflict')) throw error;
  });
}

/** Sets a password and ends every session of the account, since one of them may be why. Throws a Refusal for nobody. */
export async function setPassword(
  db: Kysely<SiteTables>,
  email: string,
  password: string,
  { by, now }: Hand,
): Promise<void> {
  const kept = await hashPassword(password);
  await db.transaction().execute(async (tx) => {
    const person = await tx
      .updateTable('person')
      .set({ password: kept })
      .where('email', '=', email.trim().toLowerCase())
      .returning('id')
      .executeTakeFirst();
    if (!person) throw new Refusal('not_found', `There is no account with the address ${email}.`);
    await endSessions(tx, person.id);
    await recordAudit(tx, { by, action: 'account.password', ids: [person.id], at: now });
  });
}

/** Ends every session of a person, and the chats that hang on them. */
export async function endSessions(tx: Transaction<SiteTables>, person: string): Promise<void> {
  await tx.deleteFrom('session').where('person', '=', person).execute();
}

/**
 * The person with this address and password; undefined otherwise, and nothing tells which of them was wrong. Throws a 503 where too many
 * wait to be told.
 */
export async function signInWith(
  db: Kysely<SiteTables>,
  email: string,
  password: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string; password: string | null }>`
    select id, password from person
    where email = ${email.trim().toLowerCase()} and disabled_at is null`.execute(db);
  const [found] = rows;
  return (await isPassword(password, found?.password ?? null)) ? found?.id : undefined;
}

/** One @ with something on both sides; whether mail arrives there is another matter. */
function addressOf(text: string): string {
  const address = text.trim().toLowerCase();
  if (address.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(address))
    throw new Refusal('invalid_input', 'This is not an e-mail address.');
  return address;
}

function nameOf(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 200) throw new Refusal('invalid_input', 'A name has 1 to 200 characters.');
  return name;
}
