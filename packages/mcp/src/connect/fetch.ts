import type { FetchLike } from '@modelcontextprotocol/client';
import { Agent, buildConnector, fetch as undiciFetch, type RequestInit } from 'undici';
import { ConnectionFailure } from './errors.ts';
import { LIMITS } from './limits.ts';

/** HTTP for one connection: its own sockets, no hidden time limits, and answers of bounded size. */
export interface Web {
  /** `onAnswer` is told the media type, and once more when the answer grows too large. */
  fetch(onAnswer: (exchange: string | undefined, news: string | ConnectionFailure) => void): FetchLike;
  close(): Promise<void>;
}

/** Header that names our exchange on its way through the SDK to our fetch, which takes it off. */
export const EXCHANGE = 'portolan-exchange';

/** `isOurs` refuses addresses of our own listeners, once they are resolved and before anything is sent. */
export function openWeb(isOurs: ((address: string, port: number) => boolean) | undefined): Web {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: guardedConnector(isOurs) });
  return {
    fetch: (onAnswer) => async (url, init) => {
      const headers = new Headers(init?.headers);
      const exchange = headers.get(EXCHANGE) ?? undefined;
      headers.delete(EXCHANGE);
      // The same classes, once as Node's globals and once as the package's.
      const request = { ...init, headers, dispatcher: agent } as unknown as RequestInit;
      const response = (await undiciFetch(url, request)) as unknown as Response;
      const type = response.headers.get('content-type') ?? '';
      onAnswer(exchange, type);
      return bounded(response, type.startsWith('text/event-stream'), (failure) =>
        onAnswer(exchange, failure),
      );
    },
    close: () => agent.destroy(),
  };
}

function guardedConnector(isOurs: ((address: string, port: number) => boolean) | undefined) {
  const connect = buildConnector({});
  return ((options, settle) =>
    connect(options, (error, socket) => {
      const address = socket?.remoteAddress?.replace(/^::ffff:/, '');
      if (!socket || !address || !isOurs?.(address, socket.remotePort ?? 0))
        return settle(...([error, socket] as never));
      socket.destroy();
      const reason = 'the address is one of our own listeners';
      settle(new ConnectionFailure('unreachable', { reason, effects: 'none' }), null);
    })) satisfies buildConnector.connector;
}

/** An answer whose declared length is small enough passes as it is; any other is counted as it is read. */
function bounded(
  response: Response,
  events: boolean,
  onTooLarge: (failure: ConnectionFailure) => void,
): Response {
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  const declared = headers.has('content-encoding')
    ? Number.NaN
    : Number(headers.get('content-length') ?? Number.NaN);
  if (declared <= LIMITS.wire) return response;
  const counter = countBytes(events, onTooLarge);
  return new Response(body.pipeThrough(counter), { status, statusText, headers });
}

/** Lets 48 MiB through: of the whole answer, or of each event. */
function countBytes(events: boolean, onTooLarge: (failure: ConnectionFailure) => void) {
  let size = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const event = events ? lastBlankLine(chunk) : -1;
      size = event === -1 ? size + chunk.length : chunk.length - event;
      if (size <= LIMITS.wire) return controller.enqueue(chunk);
      const failure = new ConnectionFailure('answer_too_large');
      onTooLarge(failure);
      controller.error(failure);
    },
  });
}

/** Where the last event in a chunk ends; -1 when none does. An end that two chunks share is met at the next event. */
function lastBlankLine(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Math.max(bytes.lastIndexOf('\n\n'), bytes.lastIndexOf('\r\n\r\n'));
}
