import { Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { actorId } from '../../audit/actor.ts';
import { eventsOf } from '../../builder/events.ts';
import { EVENT_KINDS } from '../../builder/tables.ts';
import { cancelTask, listTasks, queueTask, readTask } from '../../builder/tasks.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { confirmed, Cursor, IdempotencyKey, Limit, NextCursor, Text, Time } from '../shapes.ts';
import { builders, Priority, showTask, State, TaskBriefShown, TaskId, TaskShown } from './shapes.ts';

/** As many as `builder_get_task` shows. */
const EVENTS = 50;

export const builderListTasks = tool('builder_list_tasks', {
  title: 'List builder tasks',
  says: 'What the builder was asked to do, the newest first. Gives the ids that the other builder tools take.',
  access: builders,
  effect: 'reads',
  input: z.strictObject({ state: State.optional(), limit: Limit, cursor: Cursor }),
  output: z.object({ tasks: z.array(TaskBriefShown), nextCursor: NextCursor }),
  example: { state: 'running' },
}).run(async ({ state, ...paging }, { deps }) => {
  const { rows, ...page } = await listTasks(deps.db, { state }, paging);
  return { tasks: rows.map((row) => present(row, 'title', 'reason')), ...page };
});

export const builderGetTask = tool('builder_get_task', {
  title: 'Read a builder task',
  says: `One task whole, with its latest ${EVENTS} events, oldest first, and the end of its log.`,
  access: builders,
  effect: 'reads',
  input: z.strictObject({ taskId: TaskId }),
  output: TaskShown.extend({
    events: z.array(z.object({ at: Time, kind: z.enum(EVENT_KINDS), detail: Untrusted })),
  }),
  example: { taskId: '0198c5c8-2a00-7000-8000-000000000011' },
}).run(async ({ taskId }, { deps }) => {
  const task = await readTask(deps.db, taskId);
  const events = await eventsOf(deps.db, taskId, EVENTS);
  return { ...showTask(task), events: events.map((event) => present(event, 'detail')) };
});

export const builderQueueTask = change('builder_queue_task', {
  title: 'Queue a builder task',
  says: 'Queues a change of the site’s own code. When CI and review pass, it is merged to main without a further question. Watch it with builder_get_task; withdraw it with builder_cancel_task before a worker begins.',
  access: builders,
  effect: 'writes',
  input: z.strictObject({
    title: Text(200),
    instructions: Text(20_000),
    acceptance: Text(8000).describe('How one sees that it is done'),
    priority: Priority.default('normal'),
    idempotencyKey: IdempotencyKey,
  }),
  output: TaskShown,
  example: {
    title: 'Show tide times on harbour pages',
    instructions: 'Add a section with the next two high waters.',
    acceptance: 'The page of Pärnu shows two times; the tests pass.',
  },
  meta: confirmed,
}).run(async ({ title, instructions, acceptance, priority }, { tx, caller, now }) => {
  const wanted = { title, instructions, acceptance, priority, queuedBy: actorId(caller) };
  const task = await queueTask(tx, wanted, now);
  return { answer: showTask(task), ids: [task.id] };
});

export const builderCancelTask = change('builder_cancel_task', {
  title: 'Withdraw a builder task',
  says: 'Withdraws a task that no worker has begun, for good. One that has begun goes its way.',
  access: builders,
  effect: 'destroys',
  input: z.strictObject({ taskId: TaskId }),
  output: TaskShown,
  example: { taskId: '0198c5c8-2a00-7000-8000-000000000011' },
  meta: confirmed,
}).run(async ({ taskId }, { tx, caller, now }) => ({
  answer: showTask(await cancelTask(tx, taskId, actorId(caller), now)),
  ids: [taskId],
}));
