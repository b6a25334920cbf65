const SENTENCES = {
  unknown_command:
    'There is no such command. Only commands that run_command has started can be waited for or ended',
  too_many: 'Too many commands run at once; wait for one, or end one',
  not_started: 'The command could not be started',
  not_contained: 'The command has ended, but not everything that it started',
  closed: 'Saivage is ending',
} as const;

/** A command could not be started, found or ended. The message may be shown. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly code: keyof typeof SENTENCES;

  constructor(code: keyof typeof SENTENCES, reason?: string) {
    super(`${SENTENCES[code]}${reason === undefined ? '' : `: ${reason}`}.`);
    this.code = code;
  }
}
