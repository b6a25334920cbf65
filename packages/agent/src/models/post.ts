import { Agent, request as plain, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secure } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** The part of `fetch` that providers use, on node's own client. */
export const post: typeof fetch = async (...request) => responseTo(await send(...request));

/**
 * Posts a text and resolves with the head of the answer. While an answer is awaited this holds a quarter of the memory that `fetch`
 * does, and nothing of the request once it has begun. A redirect is an error: it could carry the key to another host. Rejects with
 * the signal's reason when that aborts, else with the system's error.
 */
export async function send(...[input, given = {}]: Parameters<typeof fetch>): Promise<IncomingMessage> {
  const { signal, ...init } = given;
  const url = new URL(input instanceof Request ? input.url : input);
  const incoming = await answerOf(url, init, signal ?? undefined);
  const { statusCode: status = 0 } = incoming;
  if (isAnswer(status)) return incoming;
  incoming.destroy();
  throw new Error(`the provider answered ${status}`);
}

/** An answer as `fetch` gives it. Its body comes as it is read. */
export function responseTo(incoming: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = incoming;
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(streamOf(decoded(incoming)), { status, statusText, headers });
}

/** Idle connections are given up before most servers do so. */
const idle = { keepAlive: true, timeout: 4_000 };
const agents = { plain: new Agent(idle), secure: new SecureAgent(idle) };

function sent(url: URL, { method = 'GET', headers, body }: RequestInit): ClientRequest {
  if (typeof body !== 'string') throw new TypeError('only a text can be posted');
  const isSecure = url.protocol === 'https:';
  const request = (isSecure ? secure : plain)(url, {
    method,
    // What is compressed tends to wait until there is more of it.
    headers: { ...Object.fromEntries(new Headers(headers)), 'accept-encoding': 'identity' },
    agent: isSecure ? agents.secure : agents.plain,
  });
  return request.end(body);
}

/** A request that meets an idle connection just as the server closes it is lost, and sent again on another one. */
async function answerOf(
  url: URL,
  init: RequestInit,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  for (;;) {
    signal?.throwIfAborted();
    const request = sent(url, init);
    try {
      return await answerTo(request, signal);
    } catch (error) {
      if (!request.reusedSocket || !isReset(error)) throw error;
    }
  }
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** The head of the answer. An abort ends the request, or the answer. */
function answerTo(request: ClientRequest, signal: AbortSignal | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined;
    const abort = (): void => void (answer ?? request).destroy(reasonOf(signal));
    signal?.addEventListener('abort', abort);
    request.once('close', () => {
      signal?.removeEventListener('abort', abort);
      // Where the error has not said why: an upgrade that nobody asked for ends in silence.
      reject(new Error('the provider closed the connection without an answer'));
    });
    request.on('error', reject);
    request.once('response', (incoming) => {
      answer = incoming;
      resolve(incoming);
    });
  });
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal?.reason });
}

/** True for a status with a body that answers this very request. */
function isAnswer(status: number): boolean {
  return (
    (status >= 200 && status < 300 && status !== 204 && status !== 205) || (status >= 400 && status < 600)
  );
}

const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: () => createGunzip(flush),
  'x-gzip': () => createGunzip(flush),
  deflate: () => createInflate(flush),
  br: () => createBrotliDecompress(),
};

/** The bytes of an answer. Some servers compress though nobody asks for it. */
export function decoded(incoming: IncomingMessage): Readable {
  const decoder = decoders[incoming.headers['content-encoding']?.toLowerCase() ?? ''];
  return decoder ? pipeline(incoming, decoder(), () => undefined) : incoming;
}

/** One piece for each that is asked for. What goes wrong in the source, an abort among it, is the error of the body. */
function streamOf(source: Readable): ReadableStream<Uint8Array> {
  const pieces = source.iterator() as AsyncIterator<Uint8Array, undefined>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void source.destroy(),
    },
    { highWaterMark: 0 },
  );
}
