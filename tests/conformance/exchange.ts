import type { Fetch } from './fixtures/mount.ts';

/** One HTTP request as data, so that it can be sent twice. */
export interface Sent {
  /** What it is about; recorded requests are named by their method. */
  readonly name: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a client branches on. */
export interface Answered {
  readonly status: number;
  readonly code?: number;
  readonly result?: unknown;
}

/** Keeps every request that a handler is sent. */
export function recording(handler: Fetch, kept: Sent[]): Fetch {
  return async (request) => {
    const { method, url } = request;
    const body = await request.text();
    const headers = Object.fromEntries(request.headers);
    kept.push({ name: nameOf(method, body), method, headers, body });
    const bodyless = method === 'GET' || method === 'HEAD';
    return handler(new Request(url, { method, headers, ...(!bodyless && { body }) }));
  };
}

/** Sends a request and reads status, error code and result, from JSON or from the one event of a stream. */
export async function exchange(handler: Fetch, { method, headers, body }: Sent): Promise<Answered> {
  const bodyless = method === 'GET' || method === 'HEAD';
  const request = new Request('http://localhost/mcp', { method, headers, ...(!bodyless && { body }) });
  const response = await handler(request);
  const type = response.headers.get('content-type') ?? '';
  const text = method === 'GET' && type.startsWith('text/event-stream') ? '' : await response.text();
  const message = type.startsWith('text/event-stream') ? lastEvent(text) : text;
  const { error, result } = (message === '' ? {} : JSON.parse(message)) as Message;
  return {
    status: response.status,
    ...(error && { code: error.code }),
    ...(result !== undefined && { result }),
  };
}

interface Message {
  readonly error?: { readonly code: number };
  readonly result?: unknown;
}

function lastEvent(stream: string): string {
  const data = [...stream.matchAll(/^data: ?(.*)$/gm)].map((found) => found[1] ?? '');
  return data.findLast((one) => one.startsWith('{')) ?? '';
}

function nameOf(method: string, body: string): string {
  const named = /"method":"([^"]*)"/.exec(body)?.[1];
  return `recorded: ${method} ${named ?? body.slice(0, 40)}`;
}
