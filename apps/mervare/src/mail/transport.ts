import type { Written } from './compose.ts';

/** How one try ended. `reason` is what a mail server said, or what we make of it: without secrets. */
export type Outcome =
  | { readonly is: 'sent' }
  /** To be tried again. `ours` says that the operator must act, not the addressee. */
  | { readonly is: 'deferred'; readonly reason: string; readonly ours: boolean }
  /** Refused for good. */
  | { readonly is: 'refused'; readonly reason: string };

/**
 * Hands one letter over. Never throws for what a mail server does; at the abort of the signal it gives up at once, and from then on
 * nothing of this letter leaves any more.
 */
export type Transport = (letter: Written, signal: AbortSignal) => Promise<Outcome>;
