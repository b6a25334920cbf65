import { APICallError, type LanguageModelV3Prompt, type LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { failure, ModelFailure } from '../failure.ts';
import type { Candidate } from '../route.ts';
import { Script, type Fault, type Reply } from './reply.ts';
import { fillIn } from './result-reference.ts';
import { finishOf, lastMessage, partsOf, resultsAfter, textOf, type Speech } from './speech.ts';

type Part = LanguageModelV3StreamPart;
type Line = Script[number];

/**
 * A model that plays a script: for each answer the first reply not yet used whose `when` fits the last message.
 * What was used is read from the talk itself, so a restart, another node or another talk needs no memory. Only a
 * fault before any output leaves no trace there: it fires once in the life of the model.
 */
export function scripted(replies: readonly Reply[]): Candidate {
  const script = Script.parse(replies);
  const fired = new Set<Line>();
  return {
    images: true,
    resultImages: true,
    redact: (text) => text,
    model: {
      provider: 'scripted',
      modelId: 'script',
      async doStream({ prompt, abortSignal }) {
        const line = nextLine(script, fired, prompt);
        if (!line) throw new ModelFailure(failure('script_over', lastMessage(prompt).text));
        if (line.fault && isSilent(line)) fired.add(line);
        if (line.delayMs) await wait(line.delayMs, undefined, abortSignal ? { signal: abortSignal } : {});
        throwHttpFault(line.fault);
        const speech = { ...line, calls: callsOf(line, prompt) };
        return { stream: ReadableStream.from(play(speech, line.fault, prompt, abortSignal)) };
      },
    },
  };
}

/** Plays the talk so far through the script, and then takes the next line. */
function nextLine(script: Script, fired: ReadonlySet<Line>, prompt: LanguageModelV3Prompt): Line | undefined {
  const left = script.filter((line) => !fired.has(line));
  const take = (text: string) => {
    const at = left.findIndex(({ when }) => when === undefined || new RegExp(when, 'iu').test(text));
    return at === -1 ? undefined : left.splice(at, 1)[0];
  };
  let text = '';
  for (const message of prompt) {
    if (message.role === 'user') text = textOf(message.content);
    if (message.role === 'assistant') take(text);
  }
  return take(text);
}

/** True for a line that leaves nothing in the talk. */
function isSilent({ fault, text, reasoning }: Line): boolean {
  return isHttp(fault) || !(text || reasoning);
}

function callsOf({ calls }: Line, prompt: LanguageModelV3Prompt): Speech['calls'] {
  const results = resultsAfter(prompt, -1).map(({ text }) => text);
  try {
    return calls?.map(({ name, args }) => ({ name, args: fillIn(args, results) as object }));
  } catch (error) {
    throw new ModelFailure(failure('script_over', String(error)));
  }
}

async function* play(
  speech: Speech,
  fault: Fault | undefined,
  prompt: LanguageModelV3Prompt,
  signal?: AbortSignal,
): AsyncGenerator<Part> {
  yield* partsOf(fault ? { ...speech, calls: [] } : speech, randomUUID);
  if (fault === 'stall') await untilAborted(signal);
  if (fault === 'cut') throw new TypeError('terminated');
  if (fault === 'truncated') return;
  if (fault === 'malformed') throw new ModelFailure(failure('model_malformed'));
  yield finishOf(speech, prompt);
}

const STATUS = { rate_limited: 429, overloaded: 503, unauthorized: 401 } as const;

function isHttp(fault: Fault | undefined): fault is keyof typeof STATUS {
  return fault !== undefined && fault in STATUS;
}

function throwHttpFault(fault: Fault | undefined): void {
  if (!isHttp(fault)) return;
  throw new APICallError({
    message: fault,
    url: 'script:',
    requestBodyValues: {},
    statusCode: STATUS[fault],
    responseHeaders: { 'retry-after-ms': '10' },
  });
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new DOMException('aborted', 'AbortError'));
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
}
