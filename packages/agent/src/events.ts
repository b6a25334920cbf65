import type { SharedV3ProviderMetadata } from '@ai-sdk/provider';
import type { ToolResult } from '@portolan/mcp/tool';
import type { Call, Outcome, UserPart } from './history.ts';
import type { Failure } from './failure.ts';

/** Tokens of model calls, as far as the provider told them. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Everything that happens in a talk. The history is the fold of these: {@link Transcript}. */
export type TurnEvent =
  | { readonly type: 'step.start'; readonly by: string }
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly key: string; readonly delta: string }
  /** Opens a reasoning block, or tells its metadata. Nothing to show. */
  | {
      readonly type: 'reasoning.mark';
      readonly key: string;
      readonly metadata?: SharedV3ProviderMetadata | undefined;
    }
  /** The model's answer is over, with the calls it makes: none of them has been sent yet. */
  | {
      readonly type: 'step.end';
      readonly ended: 'whole' | 'cut' | 'stopped';
      readonly calls: readonly Call[];
      readonly usage?: TokenUsage | undefined;
    }
  /** These calls run as soon as the next event is asked for: store this one before. */
  | { readonly type: 'start'; readonly callIds: readonly string[] }
  | ({ readonly type: 'progress'; readonly callId: string } & Progress)
  | {
      readonly type: 'result';
      readonly callId: string;
      readonly outcome: Outcome;
      readonly result: ToolResult;
    }
  | {
      readonly type: 'turn.end';
      /** `answered`, `waiting`, `stopped`, `error`, or the word of the stop rule that ended it. */
      readonly reason: string;
      /** Of the model calls in this run. */
      readonly usage: TokenUsage;
      /** Present when the reason is `error`. */
      readonly failure?: Failure;
    };

/** What the app tells the transcript by itself, between runs. */
export type OutsideEvent =
  | { readonly type: 'message'; readonly parts: readonly UserPart[] }
  | {
      readonly type: 'decision';
      readonly callId: string;
      readonly decision: 'approve' | 'deny';
      readonly reason?: string | undefined;
    };

/** How far a running call is. `detail` is passed on as the tool gave it. */
export interface Progress {
  readonly progress?: number | undefined;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
  readonly detail?: unknown;
}
