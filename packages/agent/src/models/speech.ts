import type { LanguageModelV3Prompt, LanguageModelV3StreamPart } from '@ai-sdk/provider';

type Part = LanguageModelV3StreamPart;

/** What a model of ours says in one answer. */
export interface Speech {
  readonly reasoning?: string | undefined;
  readonly text?: string | undefined;
  readonly calls?: readonly { readonly name: string; readonly args: object }[] | undefined;
}

/** The parts of an answer, as a provider streams them, up to the finish. Words come one by one. */
export function* partsOf({ reasoning, text, calls = [] }: Speech, newId: () => string): Generator<Part> {
  yield { type: 'stream-start', warnings: [] };
  if (reasoning) {
    yield { type: 'reasoning-start', id: 'reasoning' };
    for (const delta of wordsOf(reasoning)) yield { type: 'reasoning-delta', id: 'reasoning', delta };
    yield { type: 'reasoning-end', id: 'reasoning' };
  }
  if (text) {
    yield { type: 'text-start', id: 'text' };
    for (const delta of wordsOf(text)) yield { type: 'text-delta', id: 'text', delta };
    yield { type: 'text-end', id: 'text' };
  }
  for (const { name, args } of calls)
    yield { type: 'tool-call', toolCallId: `call_${newId()}`, toolName: name, input: JSON.stringify(args) };
}

/** The finish of an answer; tokens are counted as four characters each. */
export function finishOf(
  { reasoning = '', text = '', calls = [] }: Speech,
  prompt: LanguageModelV3Prompt,
): Part {
  const total = tokens(JSON.stringify(prompt));
  const written = tokens(reasoning + text + (calls.length > 0 ? JSON.stringify(calls) : ''));
  return {
    type: 'finish',
    finishReason:
      calls.length > 0 ? { unified: 'tool-calls', raw: 'calls' } : { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: { total, noCache: total, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: written, text: undefined, reasoning: undefined },
    },
  };
}

function wordsOf(text: string): string[] {
  return text.match(/\s*\S+\s*?(?=\s|$)|\s+/g) ?? [];
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** The text of the last message of a user, and its place in the prompt. */
export function lastMessage(prompt: LanguageModelV3Prompt): { text: string; at: number } {
  const at = prompt.findLastIndex((message) => message.role === 'user');
  const message = prompt[at];
  return { text: message?.role === 'user' ? textOf(message.content) : '', at };
}

/** The text parts of a message, one a line. */
export function textOf(content: readonly { type: string; text?: string }[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : [])).join('\n');
}

/** The text of every tool result after a place in the prompt, oldest first, with whether it is an error. */
export function resultsAfter(
  prompt: LanguageModelV3Prompt,
  at: number,
): { name: string; text: string; isError: boolean }[] {
  return prompt.slice(at + 1).flatMap((message) =>
    message.role !== 'tool'
      ? []
      : message.content.flatMap((part) => {
          if (part.type !== 'tool-result') return [];
          const { output } = part;
          const text =
            output.type === 'text' || output.type === 'error-text'
              ? output.value
              : output.type === 'content'
                ? textOf(output.value.flatMap((one) => (one.type === 'text' ? [one] : [])))
                : '';
          return [{ name: part.toolName, text: unmarked(text), isError: output.type === 'error-text' }];
        }),
  );
}

/** What stands between the marks of an untrusted block: our own models only ever read it as data. */
function unmarked(text: string): string {
  return /^<(untrusted-[\w-]+)>\n([\s\S]*)\n<\/\1>$/.exec(text)?.[2] ?? text;
}
