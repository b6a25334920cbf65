import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RequestError, getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Logger } from 'pino';
import { refusals, send, sendRaw } from './answer.ts';
import type { Answer } from './answer.ts';
import { continueWhenRead } from './continue.ts';
import type { Bindings } from './edge.ts';
import { flights } from './flights.ts';
import { bound, faultOf, serverOptions, usualLimits } from './limits.ts';
import type { Limits } from './limits.ts';
import { createLog } from './log.ts';
import { opaque } from './problem.ts';

export interface ListenOptions {
  readonly fetch: (request: Request, bindings: Bindings) => Response | Promise<Response>;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /**
   * Looks at the raw head of every request, before its body is read and before anything else is checked, and may answer it
   * there. Called for a missing or doubled Host, for CONNECT and for any Expect, too.
   */
  readonly guard?: (incoming: IncomingMessage) => Answer | undefined;
  /** Takes the requests that a node handler serves, and says that it took one. */
  readonly node?: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
  /** Where errors go that the app let through; standard output unless given. */
  readonly log?: Logger;
  readonly limits?: Partial<Limits>;
}

export interface Listener {
  /** `http://host:port` with the real port. */
  readonly origin: string;
  readonly port: number;
  /**
   * Takes no new request, ends event streams, waits up to `graceMs` for work in flight, also for work whose client has gone,
   * then cuts what is left. Resolves with the number of requests that were cut.
   */
  readonly close: (options: { graceMs: number }) => Promise<{ cut: number }>;
}

/** Opens a listener. Rejects with the system's error, for example `EADDRINUSE`. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { host, log = createLog({ name: 'http' }) } = options;
  const closing = new AbortController();
  // Every event stream listens to it.
  setMaxListeners(0, closing.signal);
  const inFlight = flights();
  const { goesOn } = inFlight;
  const serve = adapter(options.fetch, { closing: closing.signal, goesOn }, log);

  const early = (incoming: IncomingMessage): Answer | undefined => {
    try {
      return options.guard?.(incoming) ?? general(incoming, closing.signal);
    } catch (error) {
      return failed(error, log);
    }
  };
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const answer = early(incoming);
    if (answer !== undefined) return send(incoming, outgoing, answer);
    inFlight.add(outgoing);
    if (options.node?.(incoming, outgoing) !== true) goesOn(outgoing, serve(incoming, outgoing));
  };

  const limits = { ...usualLimits, ...options.limits };
  const server = createServer({ ...serverOptions(limits), requireHostHeader: false }, handle);
  bound(server, limits, (socket) => inFlight.uses(socket));
  server.on('connection', (socket) => socket.once('close', () => inFlight.lost(socket)));
  server.on('checkContinue', (incoming, outgoing) => {
    continueWhenRead(incoming, outgoing);
    handle(incoming, outgoing);
  });
  server.on('checkExpectation', (incoming, outgoing) =>
    send(incoming, outgoing, early(incoming) ?? refusals.expectation),
  );
  server.on('connect', (incoming, socket) => sendRaw(socket, early(incoming) ?? refusals.tunnel));
  server.on('clientError', (error, socket) => {
    if (socket.writable && !inFlight.uses(socket)) sendRaw(socket, faultOf(error));
    else socket.destroy(error);
  });
  await opened(server, options);

  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    async close({ graceMs }) {
      closing.abort();
      // Node's own takes an answer that has ended for one that was read, and cuts it. What is idle is cut when all has landed.
      server.closeIdleConnections = () => undefined;
      const closed = new Promise((resolve) => server.close(resolve));
      const cut = await inFlight.land(graceMs);
      server.closeAllConnections();
      await closed;
      return { cut };
    },
  };
}

/** The fetch handler as a node handler. What the app wrote to the node response itself is left alone. */
function adapter(fetch: ListenOptions['fetch'], ours: Pick<Bindings, 'closing' | 'goesOn'>, log: Logger) {
  return getRequestListener(
    async (request, env) => {
      const { incoming, outgoing } = env as Required<Bindings>;
      const response = await fetch(request, { incoming, outgoing, ...ours });
      return outgoing.headersSent ? RESPONSE_ALREADY_SENT : response;
    },
    {
      errorHandler(error) {
        const { status, body } = error instanceof RequestError ? refusals.head : failed(error, log);
        return Response.json(body, { status });
      },
    },
  );
}

/** What is refused whatever the app: a request without exactly one Host (RFC 9112 §3.2), and all at the end. */
function general(incoming: IncomingMessage, closing: AbortSignal): Answer | undefined {
  const hosts = incoming.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length !== 1) return refusals.host;
  return closing.aborted ? refusals.closing : undefined;
}

function failed(error: unknown, log: Logger): Answer {
  const reference = randomUUID();
  log.error({ err: error, reference }, 'unexpected error');
  return { status: 500, body: opaque(reference) };
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
