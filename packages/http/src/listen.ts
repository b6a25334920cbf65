import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Bindings } from './edge.ts';

/** An answer made before the app sees the request. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
}

export interface ListenOptions {
  readonly fetch: (request: Request, bindings: Bindings) => Response | Promise<Response>;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /**
   * Looks at the raw head of every request before its body is read; an answer ends it there. Called for requests that
   * expect a continue, ask for an upgrade or are CONNECT, too. A missing Host reaches it.
   */
  readonly guard?: (incoming: IncomingMessage) => Answer | undefined;
  /** Takes the requests that a node handler serves and says that it did. */
  readonly node?: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
}

export interface Listener {
  /** `http://host:port` with the real port. */
  readonly origin: string;
  readonly port: number;
  /**
   * Takes no new request, ends event streams, waits for work in flight (also for work whose client has gone) up to
   * `graceMs`, then cuts what is left. Says how many requests were cut.
   */
  close(options: { graceMs: number }): Promise<{ cut: number }>;
}

/** Opens a listener. Rejects with the system's error, for example `EADDRINUSE`. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const serve = getRequestListener((request, bindings) =>
    options.fetch(request, { ...(bindings as Bindings), closing: closing.signal }),
  );
  const server = createServer((incoming, outgoing) => {
    const refusal = options.guard?.(incoming);
    if (refusal !== undefined) return send(outgoing, refusal);
    if (options.node?.(incoming, outgoing) === true) return;
    const work = serve(incoming, outgoing).finally(() => running.delete(work));
    running.add(work);
  });
  await opened(server, options);
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    origin: `http://${host}:${port}`,
    port,
    async close() {
      closing.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await Promise.allSettled(running);
      server.closeAllConnections();
      await closed;
      return { cut: 0 };
    },
  };
}

function opened(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function send(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
}
