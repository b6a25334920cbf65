/** The command line is wrong: one plain sentence for the person who typed it, exit code 64. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
