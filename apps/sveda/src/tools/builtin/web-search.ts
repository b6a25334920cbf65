import { withDeadline } from '@portolan/http';
import { Refusal } from '@portolan/mcp/tool';

/** An HTTP endpoint that answers searches in JSON. */
export interface SearchEndpoint {
  /** `{query}` and `{count}` stand for what is asked. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON pointer to the list of results. */
  readonly results: string;
  /** Members of one result. */
  readonly fields: { readonly title: string; readonly url: string; readonly excerpt: string };
}

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly excerpt: string;
}

/** Limits of one search: bytes of the answer, milliseconds, characters of each text. */
const LIMITS = { bytes: 1_000_000, ms: 20_000, characters: 1_000 } as const;

const NO_ANSWER = 'The search did not answer.';

/** Asks the endpoint that the operator chose. Throws a Refusal that tells nothing of the endpoint. */
export async function searchWeb(
  { url, headers, results, fields }: SearchEndpoint,
  query: string,
  count: number,
  signal: AbortSignal,
): Promise<SearchResult[]> {
  const target = url.replaceAll('{query}', encodeURIComponent(query)).replaceAll('{count}', String(count));
  const body = await readJson(target, headers, signal).catch(() => {
    signal.throwIfAborted();
    throw new Refusal('unavailable', NO_ANSWER);
  });
  const list = at(body, results);
  if (!Array.isArray(list)) throw new Refusal('unavailable', NO_ANSWER);
  return list.slice(0, count).flatMap((one: unknown) => {
    const result = {
      title: said(one, fields.title),
      url: said(one, fields.url),
      excerpt: said(one, fields.excerpt),
    };
    return /^https?:\/\//i.test(result.url) ? [result] : [];
  });
}

async function readJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', ...headers },
    redirect: 'error',
    signal: withDeadline(signal, LIMITS.ms),
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > LIMITS.bytes || !response.ok) throw new Error(`HTTP ${response.status}, ${size} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
}

/** The value at a JSON pointer (RFC 6901). */
function at(root: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined), root);
}

function said(result: unknown, field: string): string {
  const value = isObject(result) ? result[field] : undefined;
  return typeof value === 'string' ? value.slice(0, LIMITS.characters) : '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
