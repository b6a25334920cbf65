/** Limits of commands. Sizes in bytes, times in milliseconds. */
export const LIMITS = {
  /** Commands that run at once. */
  running: 32,
  /** Commands that are remembered, with their logs; the oldest that has ended goes first. */
  kept: 200,
  /** One log; what a command writes beyond it is read and dropped. */
  log: 16 * 1024 * 1024,
  /** The end of the output that an answer shows. */
  tail: 16 * 1024,
  /** From the wish to end a command to SIGKILL. */
  grace: 4_000,
} as const;
