import { bearerIsRight } from './bearer.ts';
import type { HeadStep } from './head.ts';
import { acceptsBothTypes, contentIsJson } from './media.ts';
import { hostIsOurs, noOrigin } from './origin.ts';
import { headerNamesRevision, initializeNamesRevision, notALaterEra, type MessageStep } from './protocol.ts';
import { declaredSizeFits } from './size.ts';
import { methodIsPost, noQuery, noSession, pathIsOurs } from './target.ts';
import { noTask } from './tasks.ts';

/** What a request must pass before a byte of its body is read, in this order. */
export const headSteps: readonly HeadStep[] = [
  hostIsOurs,
  noOrigin,
  bearerIsRight,
  pathIsOurs,
  methodIsPost,
  noQuery,
  noSession,
  contentIsJson,
  acceptsBothTypes,
  declaredSizeFits,
];

/** What its message must pass before any work, in this order. */
export const messageSteps: readonly MessageStep[] = [
  notALaterEra,
  headerNamesRevision,
  initializeNamesRevision,
  noTask,
];

/** The verdict of the first step that refuses. */
export function firstRefusal<Subject, Context, Refusal>(
  steps: readonly ((subject: Subject, context: Context) => Refusal | undefined)[],
  subject: Subject,
  context: Context,
): Refusal | undefined {
  for (const step of steps) {
    const refusal = step(subject, context);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
