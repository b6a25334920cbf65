import { randomUUID } from 'node:crypto';
import type { Outcome } from '../answer.ts';
import type { Ask } from './ask.ts';
import { echoed } from './fault.ts';
import type { ErrorContext, ServeOptions } from './options.ts';

type Listeners = Pick<ServeOptions<never>, 'onError' | 'newReference'>;

/** Tells `onError` of an unexpected error and gives the reference that the caller may have. */
export function report(
  { onError, newReference = randomUUID }: Listeners,
  error: unknown,
  context: Omit<ErrorContext, 'reference'>,
): string {
  const reference = newReference();
  try {
    onError(error, { ...context, reference });
  } catch {
    // The listener is the last resort: there is nobody left to tell.
  }
  return reference;
}

/** What the caller is told of it. */
export function apology(reference: string): string {
  return `Something broke on our side. Reference: ${reference}`;
}

/** Tells `observe` that a tools/call is settled. */
export function settle<Deps>(
  { caller, receivedAt, options }: Ask<Deps>,
  name: string,
  outcome: Outcome,
): void {
  if (!options.observe) return;
  const tool = echoed(name);
  const settledAt = (options.now ?? Date.now)();
  const failed = (error: unknown) => void report(options, error, { caller, subject: tool });
  try {
    const later = options.observe({ caller, tool, outcome, receivedAt, settledAt });
    if (later instanceof Promise) later.catch(failed);
  } catch (error) {
    failed(error);
  }
}
