/** What an operator has to put right: stable, so that commands and tests may branch on it. */
export type MisconfiguredCode =
  | 'unsupported_platform'
  | 'server_too_old'
  | 'server_unreachable'
  | 'other_major'
  | 'other_app'
  | 'other_user'
  | 'newer_schema'
  | 'folder_in_use'
  | 'disk_full'
  | 'insufficient_privilege';

/** The operator must act. The message says what to do and holds no secret. */
export class Misconfigured extends Error {
  override readonly name = 'Misconfigured';
  readonly code: MisconfiguredCode;

  constructor(code: MisconfiguredCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The job was claimed anew or revoked in the meantime: this worker must not act on it any more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(jobId: string) {
    super(`The lease on job ${jobId} was lost`);
  }
}
