import type { SharedV3ProviderMetadata } from '@ai-sdk/provider';
import type { ToolResult } from '@portolan/mcp/tool';

/** The history of a talk, oldest first: plain data, as an app stores it. */
export type Entry = UserEntry | StepEntry;

/** What a person, or the app in their name, said to the model. */
export interface UserEntry {
  readonly role: 'user';
  readonly parts: readonly UserPart[];
}

export type UserPart =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is base64. */
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string };

/** One answer of the model: what it said and the calls it made, in the model's order, with their results. */
export interface StepEntry {
  readonly role: 'assistant';
  /** Provider and model, `openai.chat/gpt-…`. Metadata goes back to the same one only. */
  readonly by: string;
  readonly parts: readonly StepPart[];
  /** open: still streaming. whole: came to its end. cut, stopped: broke off, and so has no calls. */
  readonly ended: 'open' | 'whole' | 'cut' | 'stopped';
}

export type StepPart = TextPart | ReasoningPart | Call;

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  /** The provider's id of the block, which tells blocks of one step apart. */
  readonly key: string;
  /** What the provider wants to see again, for example a signature. */
  readonly metadata?: SharedV3ProviderMetadata;
}

/** A call that the model made, and where it stands. */
export interface Call {
  readonly type: 'call';
  /** Unique within the talk. */
  readonly callId: string;
  readonly name: string;
  /** The tool's own name, where the model knows it by an alias. */
  readonly shownAs?: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The arguments as the model wrote them, where they are not a JSON object. `input` is empty then. */
  readonly malformed?: string;
  /** `page`: no source runs it; its result comes from outside. */
  readonly runs: 'here' | 'page';
  /** It asks for a decision first. */
  readonly confirmation?: 'required';
  readonly state: CallState;
  /** A decision let it through. */
  readonly approved?: true;
  /** What was given as reason of a denial. */
  readonly reason?: string;
  readonly outcome?: Outcome;
  readonly result?: ToolResult;
  readonly metadata?: SharedV3ProviderMetadata;
}

/**
 * asking: waits for a decision. denied: decided so, the model has yet to be told. due: may run now.
 * running: was handed to its tool. page: waits for its result from outside. done: has its result.
 */
export type CallState = 'asking' | 'denied' | 'due' | 'running' | 'page' | 'done';

/**
 * succeeded, failed: the tool answered. refused: never sent, the call is at fault. denied: by decision.
 * cancelled: closed before it was sent. uncertain: was sent, what it did is not known.
 */
export type Outcome = 'succeeded' | 'failed' | 'refused' | 'denied' | 'cancelled' | 'uncertain';

/** The calls of an entry, in the model's order. */
export function callsOf(entry: Entry | undefined): Call[] {
  return entry?.role === 'assistant' ? entry.parts.filter((part) => part.type === 'call') : [];
}

/** The calls that lack a result. */
export function openCalls(entry: Entry | undefined): Call[] {
  return callsOf(entry).filter((call) => call.state !== 'done');
}
