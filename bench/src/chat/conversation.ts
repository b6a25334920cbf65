/** How long a model's answer is, and how fast it comes. */
export interface Pace {
  /** Words of the answer, a chunk of the provider each. */
  readonly tokens: number;
  /** Milliseconds between two chunks. */
  readonly paceMs: number;
}

/** What the provider answers, whatever it is asked. Its wire cuts a text before each word. */
export function answerOf({ tokens }: Pace): string {
  return Array.from({ length: tokens }, (_, index) => `word${index}`).join(' ');
}

/** What every visitor asks. */
export const question = 'What is the wind in the outer harbour?';

/** How to put the question to a server, as it stands on the wire. */
export interface ChatRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly dialect: Dialect;
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
