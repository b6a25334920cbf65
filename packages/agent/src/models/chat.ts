import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { createParser } from 'eventsource-parser';
import { z } from 'zod';
import type { StreamingModel } from '../route.ts';
import { decoded, post, responseTo, send } from './post.ts';

type Part = LanguageModelV3StreamPart;
type Bytes = ReadableStream<Uint8Array>;

/** Opens the library's model over a `fetch`. */
export type OpenChat = (request: typeof fetch) => StreamingModel;

/**
 * Chat Completions by the library, but for words: it writes the request, and it reads the answer from the first chunk on that is
 * anything but plain text. The streams through which it reads hold 50 KB, and most of its life an answer waits between two words.
 */
export function chatModel(open: OpenChat): StreamingModel {
  const { provider, modelId } = open(post);
  return {
    provider,
    modelId,
    async doStream(options) {
      const body = await ask(open, options);
      return { stream: partsOf(body, (rest) => readBy(open, rest)) };
    },
  };
}

/**
 * The body of the answer. What the library makes of a refusal is thrown. The library is told of an empty answer at once: the streams
 * that it opens for it take a millisecond, and are gone before the first word is here.
 */
async function ask(open: OpenChat, options: Parameters<StreamingModel['doStream']>[0]): Promise<Readable> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const model = open(async (...request) => {
      resolve(send(...request));
      return new Response('');
    });
    discard(model.doStream(options)).catch(reject);
  });
  if (isOk(answer)) return decoded(answer);
  await open(async () => responseTo(answer)).doStream(options);
  throw new Error('the provider sent no answer');
}

async function discard(answer: ReturnType<StreamingModel['doStream']>): Promise<void> {
  const { stream } = await answer;
  await stream.cancel();
}

function isOk({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** What the library reads in a body. */
async function readBy(open: OpenChat, body: Bytes): Promise<ReadableStream<Part>> {
  return (await open(async () => new Response(body)).doStream({ prompt: [] })).stream;
}

/** Plain text as it comes; `readRest` reads the rest. One part for each that is asked for. */
function partsOf(
  body: Readable,
  readRest: (rest: Bytes) => Promise<ReadableStream<Part>>,
): ReadableStream<Part> {
  const events = eventsOf(body);
  let rest: ReadableStreamDefaultReader<Part> | undefined;

  /** The next words, or nothing once there is anything else. */
  async function words(): Promise<string | undefined> {
    while (await events.arrive()) {
      const text = plainText(events.waiting[0] ?? '');
      if (text === undefined) break;
      events.waiting.shift();
      if (text !== '') return text;
    }
    return undefined;
  }

  return new ReadableStream<Part>(
    {
      async pull(controller) {
        const text = rest ? undefined : await words();
        if (text !== undefined) return controller.enqueue({ type: 'text-delta', id: 'text', delta: text });
        rest ??= (await readRest(bytesOf(events))).getReader();
        const { done, value } = await rest.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => (rest ? rest.cancel(reason) : events.cancel()),
    },
    { highWaterMark: 0 },
  );
}

/** The server-sent events of a body. */
interface Events {
  /** The data of those that are there and not taken yet. */
  readonly waiting: string[];
  /** Resolves with true when one is there, with false at the end. */
  readonly arrive: () => Promise<boolean>;
  readonly cancel: () => void;
}

/** Characters of one event: all arguments of a call, if need be. Beyond them the answer breaks off. */
const MOST_CHARS = 8_000_000;

function eventsOf(body: Readable): Events {
  const pieces = body.iterator() as AsyncIterator<Uint8Array, undefined>;
  const waiting: string[] = [];
  const letters = new TextDecoder();
  const parser = createParser({
    onEvent: ({ data }) => void waiting.push(data),
    maxBufferSize: MOST_CHARS,
  });
  return {
    waiting,
    async arrive() {
      while (waiting.length === 0) {
        const { done, value } = await pieces.next();
        if (done) return false;
        try {
          parser.feed(letters.decode(value, { stream: true }));
        } catch (error) {
          body.destroy();
          throw error;
        }
      }
      return true;
    },
    cancel: () => void body.destroy(),
  };
}

/** Events as they stand on the wire. */
function bytesOf({ waiting, arrive, cancel }: Events): Bytes {
  const writer = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!(await arrive())) return controller.close();
        const lines = waiting.splice(0).map((data) => `data: ${data.replaceAll('\n', '\ndata: ')}\n\n`);
        controller.enqueue(writer.encode(lines.join('')));
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
}

const nothing = z.null().optional();

/** A chunk that says some words, or none yet, and nothing else. */
const PlainChunk = z.looseObject({
  choices: z.tuple([
    z.looseObject({
      delta: z.object({ role: z.string().nullish(), content: z.string() }).catchall(nothing),
      finish_reason: nothing,
    }),
  ]),
  usage: nothing,
  error: nothing,
});

function plainText(data: string): string | undefined {
  try {
    return PlainChunk.safeParse(JSON.parse(data)).data?.choices[0].delta.content;
  } catch {
    return undefined;
  }
}
