import { HEADERS, type ErrorBody } from '@sveda-ai/protocol/events';
import type { SessionError } from './state.ts';

type Headers = Readonly<Record<string, string>>;

/** How a client reaches its Sveda server. */
export interface TransportOptions {
  /** `stream` ends in `/stream`; the other endpoints are its siblings. */
  readonly endpoints: { readonly stream: string };
  /** Sent with every request: for example `x-sveda-embed-token`. A function is asked for every request. */
  readonly headers?: Headers | (() => Headers | Promise<Headers>);
  /** Gives the embed token; asked again, once, when the server answers 401. */
  readonly getToken?: () => Promise<string>;
  /** For tests and unusual hosts. */
  readonly fetch?: typeof fetch;
  /** Resolves after about so many milliseconds (never earlier), or rejects when the signal aborts. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Headers;
  readonly signal: AbortSignal;
  /** Repeating it does no harm, so that a broken connection may be tried again. */
  readonly repeatable?: boolean;
}

/** A refusal or failure in the words of the server, or our own where it gave none. */
export class RequestError extends Error implements SessionError {
  readonly code: string;
  readonly retryable: boolean;
  constructor({ code, message, retryable }: SessionError) {
    super(message);
    this.code = code;
    this.retryable = retryable;
  }
}

export type Transport = ReturnType<typeof createTransport>;

/** Times that a request is tried again, and the longest that Retry-After is obeyed. */
const TRIES = 3;
const LONGEST_WAIT = 30_000;

/** Requests with the visitor's credential, a renewed token on 401, and few patient retries. */
export function createTransport(options: TransportOptions) {
  const fetcher = options.fetch ?? ((input, init) => fetch(input, init));
  const wait = options.wait ?? pause;
  let token: Promise<string> | undefined;

  async function headersFor(ask: Ask): Promise<Record<string, string>> {
    const given = typeof options.headers === 'function' ? await options.headers() : options.headers;
    token ??= options.getToken?.();
    return {
      ...given,
      ...(token && { [HEADERS.embedToken]: await token }),
      ...(ask.body !== undefined && { 'content-type': 'application/json' }),
      ...ask.headers,
    };
  }

  async function once(path: string, ask: Ask): Promise<Response> {
    const body = ask.body === undefined ? {} : { body: JSON.stringify(ask.body) };
    return fetcher(address(options.endpoints.stream, path), {
      method: ask.method,
      headers: await headersFor(ask),
      signal: ask.signal,
      ...body,
    });
  }

  async function withToken(path: string, ask: Ask): Promise<Response> {
    const response = await once(path, ask);
    if (response.status !== 401 || !options.getToken) return response;
    token = undefined;
    return once(path, ask);
  }

  return {
    wait,
    /** Answers a successful response; throws a RequestError otherwise, and an AbortError when aborted. */
    async request(path: string, ask: Ask): Promise<Response> {
      for (let attempt = 0; ; attempt += 1) {
        const response = await withToken(path, ask).catch((error: unknown) => {
          if (ask.signal.aborted) throw error;
          return undefined;
        });
        if (response?.ok) return response;
        const again = response ? [429, 503].includes(response.status) : ask.repeatable === true;
        if (!again || attempt >= TRIES) throw await failure(response);
        await wait(delay(response, attempt), ask.signal);
      }
    },
  };
}

/** `/sveda/stream` and `chats/x` make `/sveda/chats/x`; the empty path is the stream itself. */
function address(stream: string, path: string): string {
  return path === '' ? stream : stream.replace(/stream$/, path);
}

function delay(response: Response | undefined, attempt: number): number {
  const seconds = Number(response?.headers.get('retry-after') ?? Number.NaN);
  const backoff = 500 * 2 ** attempt;
  return Math.min(Number.isFinite(seconds) ? seconds * 1_000 : backoff, LONGEST_WAIT);
}

async function failure(response: Response | undefined): Promise<RequestError> {
  if (!response) {
    return new RequestError({ code: 'network', message: 'The server cannot be reached.', retryable: true });
  }
  const body = (await response.json().catch(() => ({}))) as Partial<ErrorBody>;
  return new RequestError({
    code: body.error ?? `http_${response.status}`,
    message: body.message ?? `The server answered ${response.status}.`,
    retryable: response.status === 429 || response.status >= 500,
  });
}

/** A little longer than asked, by chance, so that many clients do not come back at once. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds * (1 + Math.random() / 4));
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}
