import type { Containment } from '@portolan/process';

/** What went wrong, to branch on. Each has one sentence in `SENTENCES`. */
export type FailureCode = keyof typeof SENTENCES;

/** How far a start came: the last thing that was undertaken. */
export type Phase = 'spawn' | 'initialize' | 'initialized' | 'server/discover' | 'tools/list';

/** What the failure says beyond its code. */
export interface FailureFacts {
  /** Completes the sentence. Ours or bounded, never with a secret or text of the peer. */
  readonly reason?: string;
  readonly phase?: Phase;
  /** `none`: nothing of the request went out. Otherwise the peer may have acted on it. */
  readonly effects?: 'none' | 'possible';
  /** What is proven about the local processes, where the failure ended them. */
  readonly containment?: Containment;
  /** The peer's own words (JSON-RPC error or HTTP status). Not to be trusted; the message is cut. */
  readonly peer?: { readonly code: number; readonly message: string };
  /** Why arguments or a result do not fit their schema: bounded, without anything of the value. Names are the peer's. */
  readonly rows?: readonly string[];
  /** The end of the peer's stderr during a failed start, redacted. For the operator's log alone. */
  readonly stderr?: string;
  /** Looks again for what a failed start has left, and ends it if it can. */
  readonly contain?: () => Promise<Containment>;
  readonly cause?: unknown;
}

/** One sentence for each failure, true whatever the peer did. None claims that nothing happened at the peer. */
const SENTENCES = {
  launch_failed: 'The server could not be started',
  peer_exited: 'The server ended',
  bad_stdout: 'The server wrote something to stdout that does not belong to the conversation',
  unreachable: 'The connection to the server failed',
  http_refused: 'The server refused the request',
  session_lost: 'The server no longer knows the session',
  answer_too_large: 'The answer is larger than 48 MiB',
  answer_malformed: 'The answer is not what the protocol prescribes',
  peer_error: 'The server answered with an error',
  revision_unsupported: 'The server speaks no protocol revision that we know',
  input_required: 'The server asks for input that we do not give',
  catalog_malformed: 'A page of the tool list is malformed',
  catalog_cursor_repeated: 'The tool list repeats a cursor',
  catalog_endless: 'The tool list does not end',
  catalog_duplicate_name: 'The tool list holds a name twice',
  catalog_too_many_tools: 'The tool list holds more than 2,000 tools',
  catalog_too_large: 'The tool list is larger than 48 MiB',
  catalog_stale: 'The tool is not of the current tool list',
  tool_unusable: 'A schema of the tool cannot be used',
  arguments_invalid: 'The arguments do not fit the schema of the tool',
  result_invalid: 'The result does not fit the schema of the tool',
  timeout: 'The time is over',
  cancelled: 'The caller cancelled',
  busy: 'Another refresh is going on, or too many calls wait',
  closed: 'The connection is closed',
  not_contained: 'The processes of the server could not be ended',
} as const;

/** A connection, or one exchange on it, failed. The message is ours and may be shown; `stderr` may not. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure';
  readonly code: FailureCode;
  readonly effects: 'none' | 'possible';
  readonly phase: Phase | undefined;
  readonly containment: Containment | undefined;
  readonly peer: FailureFacts['peer'];
  readonly rows: readonly string[];
  readonly #facts: FailureFacts;

  constructor(code: FailureCode, facts: FailureFacts = {}) {
    const { reason, cause } = facts;
    super(`${SENTENCES[code]}${reason === undefined ? '' : `: ${reason}`}.`, { cause });
    this.code = code;
    this.effects = facts.effects ?? 'possible';
    this.phase = facts.phase;
    this.containment = facts.containment;
    this.peer = facts.peer;
    this.rows = facts.rows ?? [];
    this.#facts = facts;
  }

  /** For the operator's log alone. No serialiser takes it along. */
  get stderr(): string | undefined {
    return this.#facts.stderr;
  }

  /** Where a failed start has left something: tries once more to end it. */
  get contain(): (() => Promise<Containment>) | undefined {
    return this.#facts.contain;
  }

  /** The same failure with more facts. */
  with(facts: FailureFacts): ConnectionFailure {
    return new ConnectionFailure(this.code, { cause: this.cause, ...this.#facts, ...facts });
  }
}
