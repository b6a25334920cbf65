import type { Kysely } from 'kysely';
import type { SiteTables } from '../tables.ts';
import type { LetterState } from './tables.ts';

/** Where a letter stands. */
export interface LetterStanding {
  readonly id: string;
  readonly key: string;
  readonly state: LetterState;
  readonly attempts: number;
  readonly queuedAt: Date;
  readonly sentAt: Date | null;
  /** When it bounced or was suppressed. */
  readonly failedAt: Date | null;
  /** Words of a mail server, when it did not take the letter: text of others. */
  readonly reason: string | null;
}

/** Where letters stand, by their keys; a key under which none was queued is left out. */
export async function letterStates(
  db: Kysely<SiteTables>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, LetterStanding>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('mail_letter')
    .select([
      'id',
      'key',
      'state',
      'attempts',
      'queued_at as queuedAt',
      'sent_at as sentAt',
      'failed_at as failedAt',
      'reason',
    ])
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
}
