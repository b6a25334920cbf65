import { InsufficientScopeError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { ConnectionFailure } from './errors.ts';
import { LIMITS } from './limits.ts';

/** Errors after which certainly nothing was sent. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** What the failure of an HTTP request means. With a session, 404 says that the peer has forgotten it. */
export function httpFailure(error: unknown, hasSession: boolean): ConnectionFailure {
  const ours = [error, causeOf(error)].find((one) => one instanceof ConnectionFailure);
  if (ours) return ours;
  if (error instanceof SdkHttpError) return refused(error, hasSession);
  if (error instanceof InsufficientScopeError) return refusedWith(403, '', error);
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent) {
    return new ConnectionFailure('answer_malformed', { reason: 'unexpected content type', cause: error });
  }
  if (error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError')) {
    return new ConnectionFailure('answer_malformed', { reason: 'no JSON-RPC message', cause: error });
  }
  const { code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const effects = code !== undefined && NEVER_SENT.has(code) ? 'none' : 'possible';
  return new ConnectionFailure('unreachable', {
    effects,
    cause: error,
    ...(typeof code === 'string' && { reason: code }),
  });
}

function refused(error: SdkHttpError, hasSession: boolean): ConnectionFailure {
  if (hasSession && saysSessionLost(error)) return new ConnectionFailure('session_lost', { cause: error });
  return refusedWith(error.status, bodyOf(error), error);
}

/**
 * True for 404, which the protocol prescribes, and for the 400 of widely used servers that have been restarted: they say
 * that there is no such session, or that nobody has initialised it. A fault in the request itself is none of that.
 */
function saysSessionLost(error: SdkHttpError): boolean {
  if (error.status !== 400) return error.status === 404;
  const { code, message } = refusalIn(error) ?? {};
  if (typeof code === 'number' && BLAMES_REQUEST.has(code)) return false;
  const says = typeof message === 'string' ? message : bodyOf(error);
  return /\bsession\b|\bnot initiali[sz]ed\b/i.test(says.slice(0, LIMITS.peerMessage));
}

/** JSON-RPC errors about the method of a request or its parameters. */
const BLAMES_REQUEST = new Set([-32_700, -32_601, -32_602]);

/** The JSON-RPC error in the body of a refusal. */
export function refusalIn(
  error: SdkHttpError,
): { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown } | undefined {
  try {
    const body = JSON.parse(bodyOf(error)) as { error?: object } | null;
    return body?.error;
  } catch {
    return undefined;
  }
}

/** The body of a refusal, as text. */
function bodyOf({ data: { text } }: SdkHttpError): string {
  return typeof text === 'string' ? text : '';
}

function refusedWith(status: number, text: string, cause: unknown): ConnectionFailure {
  const peer = { code: status, message: text.slice(0, LIMITS.peerMessage) };
  return new ConnectionFailure('http_refused', { reason: `HTTP ${status}`, peer, cause });
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
