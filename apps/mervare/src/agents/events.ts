import { newId } from '@portolan/store';
import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { keyOf } from '../paging/cursor.ts';
import { feedAfter } from '../paging/feed.ts';
import { cut, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';
import type { SubjectKind } from './tables.ts';

/** Something that happened in the control plane. */
export interface AgentEvent {
  readonly id: string;
  readonly by: string;
  readonly at: Date;
  readonly kind: SubjectKind;
  /** Id, or for a checkpoint its name. */
  readonly subject: string;
  readonly what: string;
}

/** Id, author and moment of a new row. */
export function stamp(by: string, now: number) {
  return { id: newId(now), by, at: new Date(now) };
}

/** Writes down what happened, in the transaction in which it does. */
export async function tell(
  tx: Transaction<SiteTables>,
  by: string,
  event: Pick<AgentEvent, 'kind' | 'subject' | 'what'>,
  now: number,
): Promise<void> {
  await tx
    .insertInto('agent_event')
    .values({ ...stamp(by, now), ...event })
    .execute();
}

/** Which events are asked for. */
export interface EventsAsked {
  readonly kind?: SubjectKind | undefined;
  readonly by?: string | undefined;
  readonly subject?: string | undefined;
}

/** Events, the latest first. */
export async function listEvents(
  db: Kysely<SiteTables>,
  asked: EventsAsked,
  { limit, cursor }: Paging,
): Promise<Page<AgentEvent>> {
  const [before] = cursor === undefined ? [] : keyOf(cursor, asked, z.tuple([z.int()]));
  const { kind, by, subject } = asked;
  const rows = await db
    .selectFrom('agent_event')
    .select(['n', 'id', 'by', 'at', 'kind', 'subject', 'what'])
    .$if(kind !== undefined, (all) => all.where('kind', '=', kind ?? 'run'))
    .$if(by !== undefined, (all) => all.where('by', '=', by ?? ''))
    .$if(subject !== undefined, (all) => all.where('subject', '=', subject ?? ''))
    .$if(before !== undefined, (all) => all.where('n', '<', before ?? 0))
    .orderBy('n', 'desc')
    .limit(limit + 1)
    .execute();
  const page = cut(rows, limit, ({ n }) => [n], asked);
  return { ...page, rows: page.rows.map(shown) };
}

/** What happened after `cursor`, oldest first, without gap or repeat; the cursor goes on from there. */
export async function eventsSince(
  db: Kysely<SiteTables>,
  paging: Paging,
): Promise<{ readonly events: readonly AgentEvent[]; readonly cursor: string | undefined }> {
  const { rows, cursor } = await feedAfter<AgentEvent>(db, 'agent_event', paging, 'agent changes');
  return { events: rows.map(shown), cursor };
}

function shown({ id, by, at, kind, subject, what }: AgentEvent): AgentEvent {
  return { id, by, at, kind, subject, what };
}
