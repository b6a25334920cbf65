import { needs, Untrusted, type Access } from '@portolan/mcp/tool';
import { z } from 'zod';
import { PRIORITIES, TASK_STATES } from '../../builder/tables.ts';
import type { Task } from '../../builder/tasks.ts';
import type { Grant, Scope } from '../../mcp/vocabulary.ts';
import { present } from '../present.ts';
import { Count, Id, OptionalUntrusted, Time } from '../shapes.ts';

/** The scope, and the grant as it stands at this call. */
export const builders: Access<Scope, Grant> = needs({ scope: 'builder', grant: 'builder' });

export const TaskId = Id.describe('From builder_list_tasks');
export const Priority = z.enum(PRIORITIES);
export const State = z.enum(TASK_STATES);

export const TaskBriefShown = z.object({
  id: Id,
  title: Untrusted,
  priority: Priority,
  state: State,
  queuedBy: z.string(),
  queuedAt: Time,
  attempts: Count,
  worker: z.string().optional(),
  endedAt: Time.optional(),
  reason: OptionalUntrusted,
});

export const TaskShown = TaskBriefShown.extend({
  instructions: Untrusted,
  acceptance: Untrusted,
  heartbeatAt: Time.optional(),
  leaseUntil: Time.optional(),
  logTail: OptionalUntrusted,
});

/** A task as answers show it. */
export function showTask(task: Task) {
  return present(task, 'title', 'instructions', 'acceptance', 'reason', 'logTail');
}
