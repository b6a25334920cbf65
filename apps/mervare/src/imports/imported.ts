import { Refusal } from '@portolan/mcp/tool';
import type { Transaction } from 'kysely';
import { recordAudit, type Hand } from '../audit/audit.ts';
import type { SiteTables } from '../tables.ts';

/** What an import did. Importing the same again changes nothing. */
export interface Imported {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
}

/** The audit row of an import that changed something, in its own transaction: how many, and between which ids. */
export async function recordImport(
  tx: Transaction<SiteTables>,
  action: string,
  changed: readonly string[],
  { by, now }: Hand,
): Promise<void> {
  const ids = changed.toSorted();
  const ends = new Set([...ids.slice(0, 1), ...ids.slice(-1)]);
  if (ends.size > 0) await recordAudit(tx, { by, action, ids: [...ends], count: ids.length, at: now });
}

const FAULTS_SHOWN = 20;

/** The refusal of something whose parts have these faults. */
export function faulty(faults: readonly string[]): Refusal {
  const more = faults.length - FAULTS_SHOWN;
  const lines = [...faults.slice(0, FAULTS_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])];
  return new Refusal('invalid_input', ['The file has faults; nothing was imported.', ...lines].join('\n  '));
}
