/** How long a model's answer is, and how fast it comes. */
export interface Pace {
  /** Words of the answer, a chunk of the provider each. */
  readonly tokens: number;
  /** Milliseconds between two chunks. */
  readonly paceMs: number;
}

/** What the provider answers, but for the stamps. */
export function answerOf({ tokens }: Pace): string {
  return Array.from({ length: tokens }, (_, index) => `word${index}`).join(' ');
}

/** A word as it leaves the provider: with the time, on the one clock of the machine, in microseconds. */
export function stamped(word: string): string {
  return `${word}@${process.hrtime.bigint() / 1000n}`;
}

/** Milliseconds that each stamped word in a text has been under way, now that it is here. */
export function delaysOf(text: string): number[] {
  const now = Number(process.hrtime.bigint() / 1000n);
  return [...text.matchAll(/@(\d+)/g)].map(([, at]) => (now - Number(at)) / 1000);
}

/** A text without its stamps. */
export function withoutStamps(text: string): string {
  return text.replaceAll(/@\d+/g, '');
}

/** What every visitor asks, and what those ask whose answer stops after its first word until it is let go. */
export const questions = {
  streaming: 'What is the wind in the outer harbour?',
  idle: 'Tell me when the wind turns.',
} as const;
export type Question = keyof typeof questions;

/** How to put the question to a server, as it stands on the wire. */
export interface ChatRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: Readonly<Record<Question, string>>;
  readonly dialect: Dialect;
}

/** The body that asks each question. */
export function bodiesOf(body: (text: string) => object): ChatRequest['bodies'] {
  return {
    streaming: JSON.stringify(body(questions.streaming)),
    idle: JSON.stringify(body(questions.idle)),
  };
}

export type Dialect = keyof typeof deltas;

/** The text that an event appends, in each dialect; undefined for every other event. */
const deltas = {
  'chat-completions': ({ choices }: { choices?: { delta?: { content?: string } }[] }) =>
    choices?.[0]?.delta?.content,
  'ui-message': ({ type, delta }: TypedEvent) => (type === 'text-delta' ? delta : undefined),
  sveda: ({ type, delta }: TypedEvent) => (type === 'text.delta' ? delta : undefined),
} as const;

interface TypedEvent {
  readonly type?: string;
  readonly delta?: string;
}

/** The text that an event of a stream appends; empty when it is about something else. */
export function deltaOf(event: object, dialect: Dialect): string {
  return deltas[dialect](event) ?? '';
}
