import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** An answer made on the node response, before any app sees the request. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
}

/** What the listener itself refuses. */
export const refusals = {
  head: refusal(400, 'invalid_request', 'The request line or the Host header is not valid.'),
  host: refusal(400, 'invalid_request', 'A request has exactly one Host header.'),
  malformed: refusal(400, 'invalid_request', 'This is not HTTP.'),
  tunnel: refusal(405, 'method_not_allowed', 'This server is no proxy.'),
  slow: refusal(408, 'timeout', 'The request took too long to arrive.'),
  expectation: refusal(417, 'expectation_failed', 'Only 100-continue can be expected here.'),
  headers: refusal(431, 'too_large', 'The headers are too large.'),
  closing: {
    ...refusal(503, 'unavailable', 'The server is stopping.'),
    headers: { connection: 'close', 'retry-after': '5' },
  },
} as const satisfies Record<string, Answer>;

/** Answers, and lets the client that is still sending read the answer. */
export function send(incoming: IncomingMessage, outgoing: ServerResponse, answer: Answer): void {
  const text = textOf(answer);
  outgoing.writeHead(answer.status, headersOf(answer, text));
  outgoing.end(text);
  if (incoming.headers['content-length'] !== undefined || incoming.headers['transfer-encoding'] !== undefined)
    discard(incoming);
}

/** Answers on a bare socket and ends it: for what never becomes a node response. */
export function sendRaw(socket: Duplex, answer: Answer): void {
  const text = textOf(answer);
  const head = { ...headersOf(answer, text), connection: 'close' };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  const line = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\n`;
  socket.end(`${line}${lines.join('')}\r\n${text}`, () => socket.destroy());
}

function refusal(status: number, error: string, message: string) {
  return { status, body: { error, message } };
}

function textOf({ body }: Answer): string {
  return body === undefined ? '' : JSON.stringify(body);
}

function headersOf({ headers }: Answer, text: string): Record<string, string | number> {
  return {
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    'content-length': Buffer.byteLength(text),
    ...headers,
  };
}

/** How much of a refused body is read, and for how long, before the connection is cut. */
const discarded = { bytes: 1024 * 1024, ms: 2000 };

function discard(incoming: IncomingMessage): void {
  const cut = () => incoming.socket.destroy();
  const timer = setTimeout(cut, discarded.ms).unref();
  let bytes = 0;
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > discarded.bytes) cut();
  });
  incoming.once('end', () => clearTimeout(timer));
  incoming.once('error', () => clearTimeout(timer));
}
