import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { Bindings, EdgeEnv } from './edge.ts';

/** One server-sent event. */
export interface ServerEvent {
  readonly data: string;
  readonly event?: string;
  readonly id?: string;
}

/** The writing end of an event stream. */
export interface EventStream {
  /** What the reader says it has seen, from its Last-Event-ID header. */
  readonly lastEventId: string | undefined;
  /** Aborted when the reader has gone or the server closes. */
  readonly signal: AbortSignal;
  /** Resolves when the reader can take more: a producer that awaits it never outruns the reader. Rejects once ended. */
  send(event: ServerEvent): Promise<void>;
}

export interface EventStreamOptions {
  /** Silence after which a comment is sent. */
  readonly heartbeatMs?: number;
}

/** Answers with server-sent events, written to the node response itself; the stream ends when `produce` does. */
export function eventStream<E extends EdgeEnv>(
  c: Context<E>,
  produce: (stream: EventStream) => Promise<void>,
  { heartbeatMs = 15_000 }: EventStreamOptions = {},
): Response {
  const { outgoing, closing } = c.env as Required<Bindings>;
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, closing]);
  outgoing.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  outgoing.flushHeaders();
  const beat = setInterval(() => outgoing.write(':\n\n'), heartbeatMs);
  const lastEventId = c.req.header('last-event-id');
  void produce({ lastEventId, signal, send: (event) => write(outgoing, event, signal) })
    .catch((error: unknown) => {
      if (!signal.aborted) c.get('log').error({ err: error }, 'event stream failed');
    })
    .finally(() => {
      clearInterval(beat);
      outgoing.end();
    });
  return RESPONSE_ALREADY_SENT.clone();
}

async function write(outgoing: ServerResponse, event: ServerEvent, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (!outgoing.write(frame(event))) await once(outgoing, 'drain', { signal });
}

function frame({ id, event, data }: ServerEvent): string {
  const head = (id === undefined ? '' : `id: ${id}\n`) + (event === undefined ? '' : `event: ${event}\n`);
  return `${head}${data
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;
}
