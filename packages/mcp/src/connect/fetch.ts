import type { FetchLike } from '@modelcontextprotocol/client';
import { Agent, buildConnector, fetch as undiciFetch, type RequestInit } from 'undici';
import { bounded } from './bounded.ts';
import { ConnectionFailure } from './errors.ts';

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
