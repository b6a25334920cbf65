import { lookup } from 'node:dns/promises';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { addressIn } from './client.ts';
import { withDeadline } from './deadline.ts';
import { isPublicAddress, type Resolve } from './public-address.ts';

export interface PublicFetchOptions {
  /** Bytes that the body may have. */
  readonly maxBytes: number;
  /** For everything together: names, connections, redirects and the body. */
  readonly timeoutMs: number;
  /** How many redirects are followed, each checked like the first address; none unless given. */
  readonly redirects?: number;
  /** HTTPS alone unless given. */
  readonly schemes?: readonly ('http:' | 'https:')[];
  /** Sent to every hop, so never a credential. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Addresses or networks (`10.0.0.0/8`) that count like public ones, because the operator says so. */
  readonly also?: readonly string[];
  readonly signal?: AbortSignal;
  /** The system's resolver unless given. */
  readonly resolve?: Resolve;
}

/** What came back, with any status but a redirect that was followed. */
export interface PublicAnswer {
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Why nothing came back: stable, so that callers may branch on it. */
export type PublicFetchCode =
  'not_allowed' | 'not_public' | 'redirect' | 'too_large' | 'timeout' | 'encoding' | 'unreachable';

/** Nothing came back. The message may be shown to whoever gave the address. */
export class PublicFetchError extends Error {
  override readonly name = 'PublicFetchError';
  readonly code: PublicFetchCode;

  constructor(code: PublicFetchCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * GETs an address that somebody else chose. It connects to public addresses only: a name is resolved once, every address that
 * it has must be public, and the connection goes to exactly those, so that a second answer of the name server changes nothing.
 * No proxy, no cookie, no kept connection. Throws a PublicFetchError, or the reason of `signal` when the caller gave up.
 */
export async function publicFetch(url: string | URL, options: PublicFetchOptions): Promise<PublicAnswer> {
  const signal = withDeadline(options.signal, options.timeoutMs);
  try {
    return await follow(url, options, signal);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof PublicFetchError) throw error;
    if (signal.aborted) throw new PublicFetchError('timeout', 'The address did not answer in time.');
    throw new PublicFetchError('unreachable', 'The address could not be reached.', { cause: error });
  }
}

async function follow(
  url: string | URL,
  options: PublicFetchOptions,
  signal: AbortSignal,
): Promise<PublicAnswer> {
  let target = allowed(url, options);
  for (let left = options.redirects ?? 0; ; left -= 1) {
    const response = await open(target, options, signal);
    const { statusCode: status = 0, headers } = response;
    if (!REDIRECTS.has(status) || headers.location === undefined)
      return { url: target.href, status, headers: headersOf(response), body: await read(response, options) };
    response.destroy();
    if (left === 0) throw new PublicFetchError('redirect', 'The address redirects, once too often.');
    target = allowed(headers.location, options, target);
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** The address, if its scheme may be fetched and it carries no credential. */
function allowed(url: string | URL, { schemes = ['https:'] }: PublicFetchOptions, base?: URL): URL {
  const target = URL.canParse(String(url), base?.href) ? new URL(url, base) : undefined;
  if (target === undefined || !schemes.includes(target.protocol as 'http:' | 'https:'))
    throw new PublicFetchError(
      'not_allowed',
      `The address must begin with ${schemes.map((one) => `${one}//`).join(' or ')}.`,
    );
  if (target.username !== '' || target.password !== '')
    throw new PublicFetchError('not_allowed', 'The address must not carry a user name or password.');
  return target;
}

/** Resolves with the head of the answer. */
function open(target: URL, options: PublicFetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const request = target.protocol === 'https:' ? requestHttps : requestHttp;
  const check = publicOnly(options);
  return new Promise((resolve, reject) => {
    const literal = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0) check([literal]);
    request(target, {
      agent: false,
      ...EVERY_ADDRESS,
      headers: { accept: '*/*', ...options.headers, 'accept-encoding': 'identity' },
      lookup: checkedLookup(options.resolve ?? everyAddress, check),
      signal,
    })
      .once('error', reject)
      .once('response', resolve)
      .end();
  });
}

/** Makes node ask the lookup for all addresses, whatever the process was started with. Unknown to the types of a request. */
const EVERY_ADDRESS: object = { autoSelectFamily: true };

const everyAddress: Resolve = (name) => lookup(name, { all: true, order: 'verbatim' });

/** Throws for a list in which one address is not public, since a name with both kinds is a trap or a mistake. */
function publicOnly({ also = [] }: PublicFetchOptions): (addresses: readonly string[]) => void {
  const excepted = addressIn(also);
  return (addresses) => {
    if (addresses.length === 0 || !addresses.every((one) => isPublicAddress(one) || excepted(one)))
      throw new PublicFetchError('not_public', 'The address does not lie on the open internet.');
  };
}

/** What node asks before it connects: it connects to what this answers and to nothing else. */
function checkedLookup(resolve: Resolve, check: (addresses: readonly string[]) => void): LookupFunction {
  const checked = async (name: string) => {
    const found = await resolve(name);
    check(found.map(({ address }) => address));
    return [...found];
  };
  return (name, _options, done) => callbackify(checked)(name, done);
}

async function read(response: IncomingMessage, { maxBytes }: PublicFetchOptions): Promise<Buffer> {
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') return give(response, 'encoding', 'The answer is compressed, unasked.');
  const tooLarge = `The answer has more than ${maxBytes} bytes.`;
  if (Number(response.headers['content-length'] ?? 0) > maxBytes)
    return give(response, 'too_large', tooLarge);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return give(response, 'too_large', tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Gives an answer up. */
function give(response: IncomingMessage, code: PublicFetchCode, message: string): never {
  response.destroy();
  throw new PublicFetchError(code, message);
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return headers;
}
