/** Exit codes of all commands; 0 is success. */
export const exitCodes = {
  /** Whatever has no code of its own. */
  failure: 1,
  /** The command line is wrong. */
  usage: 64,
  /** Try again, or start me again. */
  tryAgain: 75,
  /** The operator must change the configuration. */
  configuration: 78,
} as const;
