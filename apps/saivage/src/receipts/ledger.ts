import type { Outcome } from '@portolan/mcp/tool';
import { newId } from '@portolan/store';
import { sql, type Kysely } from 'kysely';
import { readCursor, writeCursor } from './cursor.ts';

/** The database of receipts, as Kysely sees it. */
export interface ReceiptTables {
  readonly external_tool_call: {
    readonly receipt_id: string;
    readonly principal: string;
    readonly tool: string;
    readonly received_at: Date;
    readonly outcome: Outcome | null;
    readonly settled_at: Date | null;
  };
}

/** A settled call from outside. It holds neither arguments nor results, and it is no proof of delivery. */
export interface Receipt {
  readonly receiptId: string;
  readonly principal: string;
  readonly tool: string;
  readonly outcome: Outcome;
  readonly receivedAt: string;
  readonly settledAt: string;
  readonly durationMs: number;
}

/** One page of receipts, the last settled first. */
export interface ReceiptPage {
  readonly receipts: readonly Receipt[];
  readonly nextCursor?: string;
}

/** Receipts that are kept; older ones are dropped when the server starts. */
const KEPT = 100_000;

/** Keeps the receipts of external calls in the database. */
export interface Ledger {
  /** Writes that a call is admitted. The answered function settles it. */
  admit(call: {
    readonly principal: string;
    readonly tool: string;
  }): Promise<(outcome: Outcome) => Promise<void>>;
  /** Throws `Refusal` for a cursor that is not of this list. */
  page(wanted: { readonly limit: number; readonly cursor?: string | undefined }): Promise<ReceiptPage>;
  /** At the start: what a dead server left open has unknown effects, and very old receipts go. */
  tidy(): Promise<void>;
}

/** Opens the ledger over a migrated database. */
export function ledger(db: Kysely<ReceiptTables>, now: () => Date): Ledger {
  return {
    async admit({ principal, tool }) {
      const received = now();
      const receipt_id = newId(received.getTime());
      await db
        .insertInto('external_tool_call')
        .values({ receipt_id, principal, tool, received_at: received, outcome: null, settled_at: null })
        .execute();
      return (outcome) => settle(db, receipt_id, outcome, now());
    },
    page: ({ limit, cursor }) => page(db, limit, cursor),
    async tidy() {
      await db
        .updateTable('external_tool_call')
        .set({ outcome: 'uncertain', settled_at: now() })
        .where('settled_at', 'is', null)
        .execute();
      await sql`delete from external_tool_call where receipt_id in (
        select receipt_id from external_tool_call
        order by settled_at desc, receipt_id desc offset ${KEPT}
      )`.execute(db);
    },
  };
}

async function settle(db: Kysely<ReceiptTables>, id: string, outcome: Outcome, at: Date): Promise<void> {
  await db
    .updateTable('external_tool_call')
    .set({ outcome, settled_at: at })
    .where('receipt_id', '=', id)
    .where('settled_at', 'is', null)
    .execute();
}

async function page(
  db: Kysely<ReceiptTables>,
  limit: number,
  cursor: string | undefined,
): Promise<ReceiptPage> {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const rows = await db
    .selectFrom('external_tool_call')
    .select(['receipt_id', 'principal', 'tool', 'received_at', 'outcome', 'settled_at'])
    .where('settled_at', 'is not', null)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(settled_at, receipt_id) < (${after?.settledAt}, ${after?.receiptId})`),
    )
    .orderBy('settled_at', 'desc')
    .orderBy('receipt_id', 'desc')
    .limit(limit + 1)
    .execute();
  const receipts = rows.slice(0, limit).map(shown);
  const last = rows.length > limit ? receipts.at(-1) : undefined;
  return { receipts, ...(last && { nextCursor: writeCursor(last) }) };
}

function shown(row: ReceiptTables['external_tool_call']): Receipt {
  if (row.outcome === null || row.settled_at === null) throw new Error('An open call has no receipt.');
  return {
    receiptId: row.receipt_id,
    principal: row.principal,
    tool: row.tool,
    outcome: row.outcome,
    receivedAt: row.received_at.toISOString(),
    settledAt: row.settled_at.toISOString(),
    durationMs: Math.max(0, row.settled_at.getTime() - row.received_at.getTime()),
  };
}
