import type { Kysely } from 'kysely';
import type { SiteTables } from '../tables.ts';

/** Remembers that the owner of an address wants no more letters. Saying it again changes nothing. */
export async function suppress(db: Kysely<SiteTables>, address: Buffer, now: number): Promise<void> {
  await db
    .insertInto('mail_suppression')
    .values({ address, at: new Date(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** True for an address whose owner wants no more letters. */
export async function isSuppressed(db: Kysely<SiteTables>, address: Buffer): Promise<boolean> {
  const found = await db
    .selectFrom('mail_suppression')
    .select('at')
    .where('address', '=', address)
    .executeTakeFirst();
  return found !== undefined;
}
