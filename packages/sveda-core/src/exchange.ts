import { DONE, type StreamRequest, type SvedaEvent } from '@sveda-ai/protocol/events';
import { readStream } from './sse.ts';
import { RequestError, type Transport } from './transport.ts';

/** Where a stream stands: what is needed to join it again after a cut. */
export interface Position {
  readonly chatId: string | undefined;
  readonly turnId: string | undefined;
  readonly lastId: number;
}

export interface Exchange {
  readonly transport: Transport;
  readonly signal: AbortSignal;
  /** Takes each event as it comes. */
  take(event: SvedaEvent): void;
  /** Where the session stands now. */
  position(): Position;
}

/** Silence after which a stream counts as cut: three heartbeats of the server. */
const SILENCE = 45_000;

/** How often a cut stream is joined again before the visitor is told: for about as long as silence is borne. */
const JOINS = 14;

/** Posts, and takes every event of the answer to its `[DONE]`, joining the stream again when it is cut. */
export async function post(exchange: Exchange, body: StreamRequest): Promise<void> {
  const repeatable = body.toolResults !== undefined || body.toolDecisions !== undefined;
  const response = await exchange.transport.request('', {
    method: 'POST',
    body,
    signal: exchange.signal,
    repeatable,
  });
  if (!(await consume(exchange, response))) await join(exchange);
}

/** Takes what was missed of the current turn and goes on with it live, to its `[DONE]`. */
export async function join(exchange: Exchange): Promise<void> {
  for (let attempt = 0; attempt < JOINS; attempt += 1) {
    const { chatId, turnId, lastId } = exchange.position();
    if (chatId === undefined || turnId === undefined) break;
    await exchange.transport.wait(Math.min(250 * 2 ** attempt, 4_000), exchange.signal);
    // Not repeated by itself: while the network is away, this loop is what tries again.
    const response = await exchange.transport
      .request(`chats/${encodeURIComponent(chatId)}/turns/${encodeURIComponent(turnId)}/events`, {
        method: 'GET',
        headers: { 'last-event-id': String(lastId) },
        signal: exchange.signal,
      })
      .catch(nothingWhileAway);
    if (response && (await consume(exchange, response))) return;
    if (exchange.position().lastId > lastId) attempt = -1;
  }
  throw new RequestError({ code: 'stream_cut', message: 'The connection was lost.', retryable: true });
}

function nothingWhileAway(error: unknown): undefined {
  if (!(error instanceof RequestError) || error.code !== 'network') throw error;
}

/** True when the stream came to its `[DONE]`; false when it was cut or fell silent. */
async function consume(exchange: Exchange, response: Response): Promise<boolean> {
  if (!response.body) return false;
  const watch = silence(response.body);
  try {
    for await (const { data } of readStream(watch.body)) {
      if (data === DONE) return true;
      exchange.take(JSON.parse(data) as SvedaEvent);
    }
    return false;
  } catch (error) {
    if (exchange.signal.aborted) throw error;
    return false;
  } finally {
    watch.end();
  }
}

/** A body that errors after too long a silence. Heartbeats count as sound. */
function silence(body: ReadableStream<Uint8Array>): { body: ReadableStream<Uint8Array>; end(): void } {
  let timer: ReturnType<typeof setTimeout>;
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      timer = setTimeout(() => controller.error(new Error('silence')), SILENCE);
    },
    transform(chunk, controller) {
      clearTimeout(timer);
      timer = setTimeout(() => controller.error(new Error('silence')), SILENCE);
      controller.enqueue(chunk);
    },
  });
  return { body: body.pipeThrough(watched), end: () => clearTimeout(timer) };
}
