import type { Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { note } from './events.ts';

const LONGEST_REASON = 4000;

/** Ends a task. `detail` is the reason of a failure. */
export async function end(
  tx: Transaction<SiteTables>,
  task: string,
  event: { readonly kind: 'merged' | 'failed'; readonly detail: string },
  now: number,
): Promise<void> {
  const { kind: state, detail } = event;
  await tx
    .updateTable('builder_task')
    .set({
      state,
      ended_at: new Date(now),
      reason: state === 'failed' ? detail.slice(0, LONGEST_REASON) : null,
      ...unleased,
    })
    .where('id', '=', task)
    .execute();
  await note(tx, task, event, now);
}

/** What a task says that failed because its workers were lost. */
export function lost(attempts: number): string {
  return `Its worker was lost ${attempts} times.`;
}

/** Of a task that no worker has. */
export const unleased = { worker: null, heartbeat_at: null, lease_until: null } as const;
