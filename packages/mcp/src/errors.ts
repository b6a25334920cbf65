/** Stable codes of a refusal: what a caller may branch on. */
export type RefusalCode =
  'invalid_input' | 'not_found' | 'conflict' | 'forbidden' | 'too_many' | 'unavailable';

/** The caller can act on it: the message is ours and may be shown. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  /** Facts that help to repeat the call rightly, for example the current version after a conflict. */
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: RefusalCode, message: string, details?: Readonly<Record<string, unknown>>) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** The operator must act: the caller gets a reference number, the log the whole error. */
export class Misconfigured extends Error {
  override readonly name = 'Misconfigured';
}
