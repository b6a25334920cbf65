/** The host's side of Sveda, for Node backends: minting and revoking embed tokens, and listing fewer tools for a visitor. */
import { ErrorBody, HEADERS, MintAnswer, type MintBody } from '@sveda-ai/protocol';

export type { MintAnswer, MintBody } from '@sveda-ai/protocol';
export { resolveToolsUsing } from './resolve.ts';
export type { Resolver } from './resolve.ts';

export interface HostOptions {
  /** Origin of the Sveda server, for example `http://127.0.0.1:8787`. */
  readonly origin: string;
  /** The host key: `SVEDA_EMBED_HOST_API_KEY` of that server. Without it only a server on loopback mints. */
  readonly hostKey?: string;
  /** Milliseconds that one request may take. Default 10,000. */
  readonly timeout?: number;
}

/** What Sveda refused, or that it could not be reached (`unavailable`). The message names no secret. */
export class SvedaHostError extends Error {
  override readonly name = 'SvedaHostError';
  readonly code: string;
  readonly status: number | undefined;

  constructor(code: string, message: string, status?: number, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.status = status;
  }
}

export type SvedaHost = ReturnType<typeof createSvedaHost>;

/** A host's door to its Sveda server. Every method throws SvedaHostError. */
export function createSvedaHost({ origin, hostKey, timeout = 10_000 }: HostOptions) {
  async function post(path: string, body: unknown): Promise<Response> {
    const response = await fetch(new URL(path, origin), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(hostKey && { [HEADERS.hostKey]: hostKey }) },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    }).catch((cause: unknown) => {
      throw new SvedaHostError('unavailable', 'The Sveda server cannot be reached.', undefined, cause);
    });
    if (!response.ok) throw await refusal(response);
    return response;
  }

  return {
    /** Mints an embed token for one visitor. The pair of host MCP URL and token goes together or not at all. */
    async mint(body: MintBody): Promise<MintAnswer> {
      const response = await post('/sveda/embed/token', body);
      return MintAnswer.parse(await response.json());
    },
    /** Ends a token before its time, with the credentials that were stored for it. */
    async revoke(token: string): Promise<void> {
      await post('/sveda/embed/token/revoke', { token });
    },
  };
}

async function refusal(response: Response): Promise<SvedaHostError> {
  const body = ErrorBody.safeParse(await response.json().catch(() => undefined));
  if (body.success) return new SvedaHostError(body.data.error, body.data.message, response.status);
  return new SvedaHostError('unavailable', `The Sveda server answered ${response.status}.`, response.status);
}
