/**
 * A signal that aborts with `signal`, where there is one, and with a TimeoutError once `ms` milliseconds are over. `AbortSignal.any`
 * alone forgets the time at the next collection of garbage (Node 20): a listener of our own keeps it.
 */
export function withDeadline(signal: AbortSignal | undefined, ms: number): AbortSignal {
  const time = AbortSignal.timeout(ms);
  time.addEventListener('abort', () => undefined);
  return AbortSignal.any(signal ? [signal, time] : [time]);
}
