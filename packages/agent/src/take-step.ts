import type { LanguageModelV3CallOptions, LanguageModelV3Usage } from '@ai-sdk/provider';
import { firstAnswer, type Part } from './answer.ts';
import type { TokenUsage, TurnEvent } from './events.ts';
import { failure, ModelFailure, type Failure } from './failure.ts';
import { callsOf } from './history.ts';
import { wholeLetters } from './letters.ts';
import { promptFor } from './prompt.ts';
import { receive, type RawCall } from './review.ts';
import { labelOf, type Candidate } from './route.ts';
import type { Run } from './run.ts';

type StepEnd = Extract<TurnEvent, { type: 'step.end' }>;

/**
 * One model call: yields the step as it is written and ends it. A step that breaks off keeps its text and has no
 * calls. Returns why there is no whole answer; nothing when there is one, or when the turn was stopped.
 */
export async function* takeStep(run: Run): AsyncGenerator<TurnEvent, Failure | undefined> {
  const { limits, signal, observe } = run;
  const optionsFor = (candidate: Candidate) => callOptions(run, candidate);
  const answer = await firstAnswer(run.route, { optionsFor, limits, signal, observe });
  if (!('candidate' in answer)) return signal.aborted ? undefined : answer;
  yield { type: 'step.start', by: labelOf(answer.candidate) };
  const end = yield* read(answer.parts, run);
  yield end.event;
  return end.failure;
}

interface End {
  readonly event: StepEnd;
  readonly failure?: Failure;
}

async function* read(parts: AsyncIterable<Part>, run: Run): AsyncGenerator<TurnEvent, End> {
  const raw: RawCall[] = [];
  const letters = { text: wholeLetters(), reasoning: wholeLetters() };
  let written = 0;
  try {
    for await (const part of parts) {
      written += lengthOf(part);
      if (written > run.limits.answerChars) throw new ModelFailure(failure('output_limit'));
      if (part.type === 'tool-call') raw.push(rawCall(part, raw, run));
      else if (part.type === 'finish') return ended(part, raw, run);
      else yield* eventsFor(part, letters);
    }
    return broken('cut', failure('model_cut'));
  } catch (error) {
    if (run.signal.aborted) return broken('stopped');
    if (error instanceof ModelFailure) return broken('cut', error.failure);
    throw error;
  }
}

/** Letters of each kind of text, put together over its pieces. */
type Letters = Readonly<Record<'text' | 'reasoning', (piece: string) => string>>;

function* eventsFor(part: Part, letters: Letters): Generator<TurnEvent> {
  switch (part.type) {
    case 'text-delta': {
      const delta = letters.text(part.delta);
      if (delta !== '') yield { type: 'text', delta };
      break;
    }
    case 'reasoning-delta': {
      const delta = letters.reasoning(part.delta);
      if (delta !== '') yield { type: 'reasoning', key: part.id, delta };
      if (part.providerMetadata) yield mark(part.id, part.providerMetadata);
      break;
    }
    case 'reasoning-start':
    case 'reasoning-end':
      if (part.type === 'reasoning-start' || part.providerMetadata)
        yield mark(part.id, part.providerMetadata);
      break;
    default:
      break;
  }
}

function mark(
  key: string,
  metadata: Extract<Part, { type: 'reasoning-end' }>['providerMetadata'],
): TurnEvent {
  return { type: 'reasoning.mark', key, metadata };
}

/** Some providers repeat ids from step to step, or send none: such a call gets one of ours. */
function rawCall(part: Extract<Part, { type: 'tool-call' }>, before: readonly RawCall[], run: Run): RawCall {
  const { toolCallId, toolName: name, input, providerMetadata: metadata } = part;
  const used =
    before.some((call) => call.callId === toolCallId) ||
    run.transcript.entries.some((entry) => callsOf(entry).some((call) => call.callId === toolCallId));
  const callId = used || !/^[\w-]{1,64}$/.test(toolCallId) ? `call_${run.newId()}` : toolCallId;
  return { callId, name, input, ...(metadata && { metadata }) };
}

function ended(finish: Extract<Part, { type: 'finish' }>, raw: readonly RawCall[], run: Run): End {
  const usage = usageOf(finish.usage);
  switch (finish.finishReason.unified) {
    case 'length':
      return broken('cut', failure('output_limit'), usage);
    case 'content-filter':
      return broken('cut', failure('content_filter'), usage);
    case 'error':
      return broken('cut', failure('model_malformed', finish.finishReason.raw), usage);
    default: {
      const calls = raw.map((call) => receive(call, run.offer, run.validate));
      return { event: { type: 'step.end', ended: 'whole', calls, usage } };
    }
  }
}

function broken(how: 'cut' | 'stopped', why?: Failure, usage?: TokenUsage): End {
  return { event: { type: 'step.end', ended: how, calls: [], usage }, ...(why && { failure: why }) };
}

/** More tokens than one answer can have. */
const MOST_TOKENS = 50_000_000;

/** Whole tokens within reason, whatever the provider counted. */
function usageOf({ inputTokens, outputTokens }: LanguageModelV3Usage): TokenUsage {
  const counted = ({ total = 0 }: { readonly total: number | undefined }) =>
    Math.min(Math.max(0, Math.round(total)), MOST_TOKENS);
  return { inputTokens: counted(inputTokens), outputTokens: counted(outputTokens) };
}

function lengthOf(part: Part): number {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-input-delta':
      return part.delta.length;
    default:
      return 0;
  }
}

function callOptions(run: Run, candidate: Candidate): LanguageModelV3CallOptions {
  const { instructions, transcript, limits, mark } = run;
  return {
    prompt: promptFor(candidate, instructions, transcript.entries, limits, mark),
    tools: [...run.offer.values()].map(({ tool: { name, description, inputSchema } }) => ({
      type: 'function',
      name,
      description,
      inputSchema,
    })),
    ...(candidate.maxOutputTokens !== undefined && { maxOutputTokens: candidate.maxOutputTokens }),
    ...(candidate.temperature !== undefined && { temperature: candidate.temperature }),
    ...(candidate.providerOptions && { providerOptions: candidate.providerOptions }),
  };
}
