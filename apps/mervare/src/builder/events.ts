import type { Kysely, Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import type { EventKind } from './tables.ts';

/** Something that happened to a task. */
export interface BuilderEvent {
  readonly at: Date;
  readonly kind: EventKind;
  readonly detail: string;
}

const LONGEST = 4000;

/** Writes down what happened to a task. A detail that is too long loses its end. */
export async function note(
  tx: Transaction<SiteTables>,
  task: string,
  { kind, detail }: Pick<BuilderEvent, 'kind' | 'detail'>,
  now: number,
): Promise<void> {
  const event = { task, at: new Date(now), kind, detail: detail.slice(0, LONGEST) };
  await tx.insertInto('builder_event').values(event).execute();
}

/** The latest events of a task, oldest first. */
export async function eventsOf(db: Kysely<SiteTables>, task: string, limit: number): Promise<BuilderEvent[]> {
  const latest = await db
    .selectFrom('builder_event')
    .select(['at', 'kind', 'detail'])
    .where('task', '=', task)
    .orderBy('n', 'desc')
    .limit(limit)
    .execute();
  return latest.reverse();
}
