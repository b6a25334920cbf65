import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider';

/** The one method of a provider that a turn uses. */
export type StreamingModel = Pick<LanguageModelV3, 'provider' | 'modelId' | 'doStream'>;

/** A model that may answer, opened and ready. */
export interface Candidate {
  readonly model: StreamingModel;
  /** It can see images in messages. */
  readonly images: boolean;
  /** It can see images in tool results too. */
  readonly resultImages: boolean;
  readonly maxOutputTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly providerOptions?: SharedV3ProviderOptions | undefined;
  /** Blots secrets of this candidate out of a provider's words. */
  readonly redact: (text: string) => string;
}

/** The models to ask, in order: the next one only when the one before gave no output. */
export interface Route {
  readonly candidates: readonly Candidate[];
}

/** How history names who wrote a step. */
export function labelOf({ model }: Candidate): string {
  return `${model.provider}/${model.modelId}`;
}
