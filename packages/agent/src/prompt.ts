import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { callsOf, type Entry, type StepEntry, type StepPart, type UserEntry } from './history.ts';
import type { Limits } from './limits.ts';
import { labelOf, type Candidate } from './route.ts';
import { decodedBytes, outputOf, type OutputRules } from './tool-output.ts';

type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number];

/**
 * The history as a provider takes it, always well-formed: every call is followed by its result in the model's
 * order, empty steps are left out, and the last word is never the model's own.
 */
export function promptFor(
  candidate: Candidate,
  instructions: string,
  entries: readonly Entry[],
  limits: Pick<Limits, 'resultChars' | 'imageBytes'>,
  mark: (text: string) => string = (text) => text,
): LanguageModelV3Prompt {
  const shown = imagesWithin(limits.imageBytes, candidate, entries);
  const rules = { resultChars: limits.resultChars, mark, shows: (image: object) => shown.has(image) };
  const messages = entries.flatMap((entry) =>
    entry.role === 'user' ? [userMessage(entry, rules)] : stepMessages(entry, labelOf(candidate), rules),
  );
  const goOn = messages.at(-1)?.role === 'assistant' ? [nudge] : [];
  return [{ role: 'system', content: instructions }, ...messages, ...goOn];
}

const nudge: LanguageModelV3Message = {
  role: 'user',
  content: [{ type: 'text', text: 'Your answer broke off here. Go on from where it stopped.' }],
};

function userMessage({ parts }: UserEntry, rules: OutputRules): LanguageModelV3Message {
  return {
    role: 'user',
    content: parts.map((part) => {
      if (part.type === 'text') return part;
      return rules.shows(part)
        ? { type: 'file', mediaType: part.mediaType, data: part.data }
        : { type: 'text', text: `[An image (${part.mediaType}) was sent along. You cannot see it.]` };
    }),
  };
}

function stepMessages(step: StepEntry, reader: string, rules: OutputRules): LanguageModelV3Message[] {
  const content = step.parts.flatMap((part) =>
    assistantPart(part, step.by === reader && step.ended === 'whole'),
  );
  const results = callsOf(step).map((call) => ({
    type: 'tool-result' as const,
    toolCallId: call.callId,
    toolName: call.name,
    output: outputOf(call, rules),
  }));
  if (content.length === 0) return [];
  const said: LanguageModelV3Message = { role: 'assistant', content };
  return results.length === 0 ? [said] : [said, { role: 'tool', content: results }];
}

/** Reasoning and metadata mean something only to the model that wrote them, and only with a whole step around them. */
function assistantPart(part: StepPart, own: boolean): AssistantPart[] {
  if (part.type === 'text') return part.text === '' ? [] : [part];
  const memory = own && part.metadata ? { providerOptions: part.metadata } : {};
  if (part.type === 'reasoning') return own ? [{ type: 'reasoning', text: part.text, ...memory }] : [];
  const { callId: toolCallId, name: toolName, input } = part;
  return [{ type: 'tool-call', toolCallId, toolName, input, ...memory }];
}

/** The images that this request carries: those that the candidate can see, the newest first, up to the limit. */
function imagesWithin(limit: number, candidate: Candidate, entries: readonly Entry[]): Set<object> {
  const images = entries.flatMap((entry): { data: string }[] =>
    entry.role === 'user'
      ? entry.parts.filter((part) => part.type === 'image' && candidate.images).map(asImage)
      : callsOf(entry).flatMap((call) =>
          (call.result?.content ?? [])
            .filter((block) => block.type === 'image' && candidate.resultImages)
            .map(asImage),
        ),
  );
  const shown = new Set<object>();
  let room = limit;
  for (const image of images.reverse()) {
    room -= decodedBytes(image.data);
    if (room < 0) break;
    shown.add(image);
  }
  return shown;
}

function asImage(part: object): { data: string } {
  return part as { data: string };
}
