import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** The one shape of every error answer. */
export interface Problem {
  /** A stable code in snake case that a program may branch on. */
  readonly error: string;
  /** One sentence for a person. */
  readonly message: string;
  /** The request id under which the log holds the whole error; only where the caller cannot act. */
  readonly reference?: string;
  /** Facts that help to repeat the request rightly, where the app has some. */
  readonly [fact: string]: unknown;
}

/** Thrown to answer with this status and text: the message is ours and is shown to the caller. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: ContentfulStatusCode;
  readonly error: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Further fields of the answer. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(
    status: ContentfulStatusCode,
    error: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.status = status;
    this.error = error;
    this.headers = headers;
    this.facts = facts;
  }
}

/** Answers with a problem. */
export function problem(
  c: Context,
  status: ContentfulStatusCode,
  error: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  facts: Readonly<Record<string, unknown>> = {},
): Response {
  return c.json({ error, message, ...facts } satisfies Problem, status, headers);
}

/** What the caller may read of an error that nobody expected. */
export function opaque(reference: string): Problem {
  return {
    error: 'internal',
    message: `Something failed on our side. Quote reference ${reference} to its operator.`,
    reference,
  };
}

/** Errors that Hono's own parts throw, in our shape; undefined for everything else. */
export function fromHono(error: unknown): HttpProblem | undefined {
  if (!(error instanceof HTTPException) || error.status >= 500) return undefined;
  const { status } = error;
  return new HttpProblem(status, codes[status] ?? 'refused', error.message || 'The request was refused.');
}

const codes: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'too_many',
};
