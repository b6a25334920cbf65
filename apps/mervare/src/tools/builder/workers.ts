import { z } from 'zod';
import { actorId } from '../../audit/actor.ts';
import { FRESH_MS } from '../../builder/rule.ts';
import { builderState, recoverTask } from '../../builder/workers.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { confirmed, Count, Id, Time } from '../shapes.ts';
import { builders, showTask, TaskShown } from './shapes.ts';

export const builderWorkerStatus = tool('builder_worker_status', {
  title: 'Look at the builder’s workers',
  says: 'How many tasks are queued and running, and for every worker when it was last heard of and which task it has. A worker that is not fresh may be gone: builder_recover_worker.',
  access: builders,
  effect: 'reads',
  input: z.strictObject({}),
  output: z.object({
    queued: z.object({ high: Count, normal: Count, low: Count }),
    oldestQueuedAt: Time.optional(),
    running: Count,
    workers: z.array(
      z.object({
        name: z.string(),
        seenAt: Time,
        fresh: z.boolean(),
        taskId: Id.optional(),
        heartbeatAt: Time.optional(),
        leaseUntil: Time.optional(),
      }),
    ),
  }),
  example: {},
}).run(async (_, { deps }) => {
  const { workers, ...state } = await builderState(deps.db, deps.now());
  return { ...present(state), workers: workers.map((worker) => present(worker)) };
});

export const builderRecoverWorker = change('builder_recover_worker', {
  title: 'Take a task from a lost worker',
  says: `Ends the lease of a task whose worker is gone: the task is queued again, or fails when workers were lost too often. Refused while the worker’s last heartbeat is younger than ${FRESH_MS / 1000} s.`,
  access: builders,
  effect: 'destroys',
  input: z.strictObject({ taskId: Id.describe('From builder_worker_status') }),
  output: TaskShown,
  example: { taskId: '0198c5c8-2a00-7000-8000-000000000011' },
  meta: confirmed,
}).run(async ({ taskId }, { tx, caller, now }) => ({
  answer: showTask(await recoverTask(tx, taskId, actorId(caller), now)),
  ids: [taskId],
}));
