import { invalid } from '../verdict.ts';
import type { MessageStep } from './protocol.ts';

/** Calls answer themselves; none is turned into a task to be polled (2025-11-25, tasks). */
export const noTask: MessageStep = ({ params }) =>
  params && 'task' in params ? invalid('Task invocation is refused.') : undefined;
