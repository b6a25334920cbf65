import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import type { Bindings, EdgeEnv } from './edge.ts';

/** One server-sent event. `event` and `id` are one line. */
export interface ServerEvent {
  readonly data: string;
  readonly event?: string;
  readonly id?: string;
}

/** The writing end of an event stream. */
export interface EventStream {
  /** What the reader says it has seen last. */
  readonly lastEventId: string | undefined;
  /** Aborted when the reader has gone or the listener closes. */
  readonly signal: AbortSignal;
  /** Resolves when the reader can take more, so that a producer who waits never outruns it. Rejects once `signal` is aborted. */
  readonly send: (event: ServerEvent) => Promise<void>;
}

export interface EventStreamOptions {
  /** Silence, in milliseconds, after which a comment goes out to keep proxies from closing the stream. */
  readonly heartbeatMs?: number;
}

/**
 * Answers with server-sent events, written to the node response itself, which costs a fifth of a web stream. The stream ends
 * when `produce` does, at once when the listener closes, and torn (never as if whole) when `produce` fails. Needs a listener.
 */
export async function eventStream<E extends EdgeEnv>(
  c: Context<E>,
  produce: (stream: EventStream) => Promise<void>,
  { heartbeatMs = 15_000 }: EventStreamOptions = {},
): Promise<Response> {
  const { outgoing, closing } = c.env as Required<Bindings>;
  if (c.req.method === 'HEAD') return c.body(null, 200, headers);
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, closing]);
  signal.addEventListener('abort', () => outgoing.end());
  outgoing.writeHead(200, { ...Object.fromEntries(c.res.headers), ...headers });
  outgoing.flushHeaders();
  const heart = setInterval(() => beat(outgoing), heartbeatMs);
  try {
    await produce({
      lastEventId: c.req.header('last-event-id'),
      signal,
      async send(event) {
        signal.throwIfAborted();
        heart.refresh();
        if (!outgoing.write(frame(event))) await once(outgoing, 'drain', { signal });
      },
    });
  } catch (error) {
    if (!signal.aborted) {
      c.get('log').error({ err: error }, 'event stream failed');
      outgoing.destroy();
    }
  } finally {
    clearInterval(heart);
    if (!outgoing.destroyed) outgoing.end();
  }
  return c.body(null);
}

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** A reader that takes nothing gets no comments either: they would hide its silence from the listener's bound. */
function beat(outgoing: ServerResponse): void {
  if (outgoing.writableLength === 0) outgoing.write(':\n\n');
}

function frame({ id, event, data }: ServerEvent): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `${field('id', id)}${field('event', event)}${lines.join('')}\n`;
}

function field(name: string, value: string | undefined): string {
  if (value === undefined) return '';
  if (/[\r\n\0]/.test(value)) throw new TypeError(`The ${name} field of an event must be one line`);
  return `${name}: ${value}\n`;
}
