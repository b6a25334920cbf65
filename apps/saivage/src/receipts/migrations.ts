import type { Migration } from '@portolan/store';
import { type Kysely, sql } from 'kysely';

/** The tables of this app, oldest step first. A released step never changes. */
export const migrations: readonly Migration[] = [{ name: '0001_external_tool_calls', up: externalToolCalls }];

/** A row begins when a call is admitted and is settled once. Neither arguments nor results have a column. */
async function externalToolCalls(db: Kysely<unknown>): Promise<void> {
  await sql`create table external_tool_call (
    receipt_id uuid primary key,
    principal text not null,
    tool text not null,
    received_at timestamptz not null,
    outcome text check (outcome in ('succeeded', 'failed', 'rejected', 'cancelled', 'uncertain')),
    settled_at timestamptz,
    check ((outcome is null) = (settled_at is null))
  )`.execute(db);
  await sql`create index external_tool_call_settled on external_tool_call (settled_at desc, receipt_id desc)
    where settled_at is not null`.execute(db);
  await sql`create index external_tool_call_open on external_tool_call (receipt_id)
    where settled_at is null`.execute(db);
}
