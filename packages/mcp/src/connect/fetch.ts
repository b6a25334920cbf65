import type { FetchLike } from '@modelcontextprotocol/client';
import { Agent, buildConnector } from 'undici';
import { ConnectionFailure } from './errors.ts';
import { isEventStream } from './http-answer.ts';
import { exchangeOver } from './http-exchange.ts';

/** HTTP for one connection: its own sockets, no hidden time limits, and answers of bounded size. */
export interface Web {
  /** `onAnswer` is told how an answer comes, and once more when it grows too large. */
  fetch(onAnswer: (exchange: string | undefined, news: Coming | ConnectionFailure) => void): FetchLike;
  close(): Promise<void>;
}

/** How an answer comes: as a stream of events, or whole. */
export type Coming = 'events' | 'whole';

/** Header that names our exchange on its way through the SDK to our fetch, which takes it off. */
export const EXCHANGE = 'portolan-exchange';

/** `isOurs` refuses addresses of our own listeners, once they are resolved and before anything is sent. */
export function openWeb(isOurs: ((address: string, port: number) => boolean) | undefined): Web {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: guardedConnector(isOurs) });
  return {
    fetch:
      (onAnswer) =>
      async (url, { method = 'GET', headers: given, body, signal } = {}) => {
        const headers = new Headers(given);
        const exchange = headers.get(EXCHANGE) ?? undefined;
        headers.delete(EXCHANGE);
        const asked = { url: new URL(url), method, headers, body: body as string | undefined, signal };
        const response = await exchangeOver(agent, asked, (failure) => onAnswer(exchange, failure));
        onAnswer(exchange, isEventStream(response.headers) ? 'events' : 'whole');
        return response;
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
