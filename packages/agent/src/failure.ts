import { AISDKError, APICallError, InvalidResponseDataError } from '@ai-sdk/provider';

/** Why a model gave no whole answer. `message` is ours and may be shown to anybody. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  /** Asking again later may succeed, with nothing changed by an operator. */
  readonly retryable: boolean;
  /** For the operator's log: what the provider said, bounded, its key blotted out. */
  readonly detail?: string;
  /** How long the provider asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** Each code with its sentence, and whether asking again may help. */
const failures = {
  model_unreachable: ['The model could not be reached.', true],
  model_unauthorized: ['The model refused our credentials.', false],
  model_unknown: ['The provider does not know the model.', false],
  model_rate_limited: ['The model has too many requests at the moment.', true],
  model_overloaded: ['The model is not available at the moment.', true],
  model_rejected: ['The model rejected the request.', false],
  context_too_long: ['The talk is longer than the model can read.', false],
  model_stalled: ['The model stopped answering.', true],
  model_cut: ['The connection to the model broke off.', true],
  model_malformed: ['The model sent something unreadable.', true],
  output_limit: ["The answer was cut at the model's output limit.", false],
  content_filter: ['The provider withheld the answer.', false],
  script_over: ['The script has no step for this.', false],
  tools_unavailable: ['The tools could not be listed.', true],
  internal: ['Something went wrong on our side.', false],
} as const;

export type FailureCode = keyof typeof failures;

/** A failure by its code. */
export function failure(code: FailureCode, detail?: string): Failure {
  const [message, retryable] = failures[code];
  return { code, message, retryable, ...(detail && { detail: detail.slice(0, 500) }) };
}

/** Thrown inside the package where a failure ends a stream. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Reads any error of a provider. `answering`: output had begun, so a lost connection is a cut. */
export function failureOf(error: unknown, answering: boolean, now: Date): Failure {
  if (error instanceof ModelFailure) return error.failure;
  if (APICallError.isInstance(error) && (error.statusCode ?? 0) >= 400) return refused(error, now);
  if (isMissingEnd(error)) return failure('model_cut', error.message);
  if (AISDKError.isInstance(error) && !APICallError.isInstance(error))
    return failure('model_malformed', error.message);
  if (error instanceof Error) return failure(answering ? 'model_cut' : 'model_unreachable', describe(error));
  return failureInStream(error);
}

/** How the compatible provider tells a stream that was closed before its finish: an error about no data at all. */
function isMissingEnd(error: unknown): error is InvalidResponseDataError {
  return InvalidResponseDataError.isInstance(error) && error.data === undefined;
}

/** An answer with an error status. A status of success with an error is a connection lost in the body. */
function refused({ statusCode = 0, message, responseHeaders = {} }: APICallError, now: Date): Failure {
  const said = failure(codeOfStatus(statusCode, message), `${statusCode} ${message}`);
  const retryAfterMs = retryAfter(responseHeaders, now);
  return retryAfterMs === undefined ? said : { ...said, retryAfterMs };
}

/** An error that a provider sent inside its stream, in the shapes of OpenAI and Anthropic. */
function failureInStream(error: unknown): Failure {
  const text = typeof error === 'string' ? error : (JSON.stringify(error) ?? '');
  if (/rate_limit|too_many/i.test(text)) return failure('model_rate_limited', text);
  if (/overloaded|server_error|api_error|unavailable/i.test(text)) return failure('model_overloaded', text);
  if (/context_length|too long/i.test(text)) return failure('context_too_long', text);
  return failure('model_rejected', text);
}

function codeOfStatus(status: number, message: string): FailureCode {
  if (status === 401 || status === 403) return 'model_unauthorized';
  if (status === 404) return 'model_unknown';
  if (status === 429) return 'model_rate_limited';
  if (status >= 500 || status === 408) return 'model_overloaded';
  if (status === 413 || /context.{0,12}(length|window)|too long|maximum context/i.test(message))
    return 'context_too_long';
  return 'model_rejected';
}

/** What `retry-after-ms` or `Retry-After` (seconds or a date, RFC 9110 §10.2.3) asks for, in milliseconds. */
function retryAfter(headers: Readonly<Record<string, string>>, now: Date): number | undefined {
  const given = headers['retry-after-ms'];
  const milliseconds = Number(given);
  if (given !== undefined && milliseconds >= 0) return milliseconds;
  const after = headers['retry-after'];
  if (after === undefined) return undefined;
  const wait = /^\d+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - now.getTime();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

function describe(error: Error): string {
  // A host with several addresses fails once for each; the whole has no words of its own.
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map((one) => (one instanceof Error ? one.message : String(one))).join('; ');
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
