import { newId } from '@portolan/store';
import type { Transaction } from 'kysely';
import type { Member } from './member.ts';
import type { SiteTables } from '../tables.ts';

/** Id, author and moment of a new row. */
export function stamp({ by }: Member, now: number) {
  return { id: newId(now), by, at: new Date(now) };
}

/** What happened to what. Without a workspace it is for super admins alone. */
export interface Happening {
  readonly workspace: string | null;
  readonly kind: 'workspace' | 'resource' | 'comment' | 'assessment' | 'action' | 'grant' | 'security';
  readonly subject: string | null;
  readonly what: 'created' | 'status' | 'corrected' | 'decided' | 'revoked' | 'paused' | 'resumed';
}

/** Tells those who follow the changes, in the transaction of the change itself. */
export async function tell(
  tx: Transaction<SiteTables>,
  member: Member,
  happening: Happening,
  now: number,
): Promise<void> {
  await tx
    .insertInto('funding_change')
    .values({ ...stamp(member, now), ...happening })
    .execute();
}
