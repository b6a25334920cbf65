import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { Candidate, StreamingModel } from '../route.ts';
import { chatModel } from './chat.ts';
import type { HttpCandidate } from './config.ts';
import { post } from './post.ts';

/** A model behind HTTP. Keys and addresses come from the configuration alone, never from the environment. */
export function httpCandidate(config: HttpCandidate): Candidate {
  const { apiKey, images, maxOutputTokens, temperature } = config;
  const { model, providerOptions, resultImages } = openProvider(config);
  return {
    model,
    images,
    resultImages: images && resultImages,
    maxOutputTokens,
    temperature,
    providerOptions,
    redact: (text) => (apiKey ? text.replaceAll(apiKey, '[key]') : text),
  };
}

interface Provider {
  readonly model: StreamingModel;
  readonly providerOptions: SharedV3ProviderOptions;
  /** Its wire has a place for images in tool results. */
  readonly resultImages: boolean;
}

function openProvider(config: HttpCandidate): Provider {
  if (config.provider === 'anthropic') return anthropic(config);
  if (config.provider === 'openai-compatible') return compatible(config);
  return openai(config);
}

/** Nothing is kept at the provider: what a reasoning model wants to see again travels with the history. */
function openai(config: Of<'openai-responses' | 'openai-chat'>): Provider {
  const { provider, baseURL, apiKey, model, reasoning } = config;
  const open = (fetch: typeof globalThis.fetch) => createOpenAI({ baseURL, apiKey, fetch });
  const isChat = provider === 'openai-chat';
  const summary = isChat ? {} : { reasoningSummary: 'auto' };
  return {
    model: isChat ? chatModel((fetch) => open(fetch).chat(model)) : open(post).responses(model),
    providerOptions: {
      openai: { store: false, ...(reasoning && { reasoningEffort: reasoning, ...summary }) },
    },
    resultImages: !isChat,
  };
}

function compatible({ baseURL, apiKey, model, reasoning }: Of<'openai-compatible'>): Provider {
  const name = 'openaiCompatible';
  const key = apiKey === undefined ? {} : { apiKey };
  const settings = { name, baseURL, ...key, includeUsage: true };
  return {
    model: chatModel((fetch) => createOpenAICompatible({ ...settings, fetch })(model)),
    providerOptions: reasoning ? { [name]: { reasoningEffort: reasoning } } : {},
    resultImages: false,
  };
}

const THINKING_TOKENS = { low: 2_048, medium: 8_192, high: 24_576 } as const;

function anthropic({ baseURL, apiKey, model, reasoning }: Of<'anthropic'>): Provider {
  const thinking = reasoning && { type: 'enabled', budgetTokens: THINKING_TOKENS[reasoning] };
  return {
    model: createAnthropic({ baseURL, apiKey, fetch: post })(model),
    providerOptions: thinking ? { anthropic: { thinking } } : {},
    resultImages: true,
  };
}

type Of<P extends HttpCandidate['provider']> = Extract<HttpCandidate, { provider: P }>;
