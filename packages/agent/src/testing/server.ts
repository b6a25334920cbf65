import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../models/reply.ts';
import { chunksOf, wireAt, type ServerReply } from './body.ts';

/** A request as it came. */
export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  /** Resolves when the exchange is over: with true when the whole answer was sent. */
  readonly answered: Promise<boolean>;
}

export interface ModelServer {
  /** For the configuration of a model, up to /v1. */
  readonly baseURL: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** Resolves with the request of that index, once its head and body are there. */
  request(index: number): Promise<ModelRequest>;
  close(): Promise<void>;
}

/**
 * A model server on loopback that speaks Chat Completions, Responses and Messages, streaming, and answers what it
 * is told: the replies in order, or what the function says. When they run out it answers 500.
 */
export async function startModelServer(
  replies: readonly ServerReply[] | ((request: ModelRequest, index: number) => ServerReply | undefined),
): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const waiting = new Map<number, (request: ModelRequest) => void>();
  const server = createServer((incoming, outgoing) => {
    void handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await read(incoming, outgoing);
    const index = requests.push(request) - 1;
    waiting.get(index)?.(request);
    const reply = typeof replies === 'function' ? replies(request, index) : replies[index];
    await answer(request, outgoing, reply);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    request: async (index) =>
      requests[index] ?? (await new Promise<ModelRequest>((resolve) => waiting.set(index, resolve))),
    async close() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

async function read(incoming: IncomingMessage, outgoing: ServerResponse): Promise<ModelRequest> {
  const answered = new Promise<boolean>((resolve) => {
    outgoing.once('close', () => resolve(outgoing.writableFinished));
  });
  const body: Buffer[] = [];
  for await (const chunk of incoming) body.push(chunk as Buffer);
  return {
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: JSON.parse(Buffer.concat(body).toString('utf8')) as Record<string, unknown>,
    answered,
  };
}

async function answer(request: ModelRequest, outgoing: ServerResponse, reply?: ServerReply): Promise<void> {
  const wire = wireAt(request.path);
  if (!wire) return refuse(outgoing, 404, `there is nothing at ${request.path}`);
  if (!reply) return refuse(outgoing, 500, 'the script is over');
  if (reply.delayMs) await wait(reply.delayMs);
  const status = statusOf(reply.fault);
  if (status) return refuse(outgoing, status, reply.fault ?? '', reply.headers);
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers });
  outgoing.flushHeaders();
  let sent = 0;
  for (const chunk of chunksOf(reply, wire)) {
    await reply.before?.(sent++);
    if (outgoing.destroyed) return;
    outgoing.write(chunk);
    if (reply.paceMs) await wait(reply.paceMs);
  }
  if (reply.fault === 'stall') return;
  if (reply.fault === 'cut') return cut(outgoing);
  outgoing.end();
}

function refuse(outgoing: ServerResponse, status: number, message: string, headers = {}): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
  outgoing.end(JSON.stringify({ type: 'error', error: { type: message, message, code: message } }));
}

const STATUS: Partial<Record<Fault, number>> = { rate_limited: 429, overloaded: 503, unauthorized: 401 };

function statusOf(fault: Fault | undefined): number | undefined {
  return fault && STATUS[fault];
}

/** Ends the connection in the middle of the body, once what was written is on its way. */
function cut(outgoing: ServerResponse): void {
  outgoing.write('', () => outgoing.destroy());
}
