import { z } from 'zod';

const model = z.string().min(1).describe("The provider's name of the model.");
const apiKey = z.string().min(1).describe('Its key. Write ${NAME} to read it from the environment.');
const baseURL = z.url({ protocol: /^https?$/ });

const settings = {
  images: z.boolean().default(false).describe('The model can see images.'),
  reasoning: z.enum(['low', 'medium', 'high']).optional().describe('How much it thinks before it answers.'),
  maxOutputTokens: z.int().min(1).optional().describe('Longest answer, in tokens.'),
  temperature: z.number().min(0).max(2).optional().describe('Absent: what the provider takes.'),
};

/** One model that a route may ask, as a configuration file has it. The apps use this schema in theirs. */
export const CandidateConfig = z.discriminatedUnion('provider', [
  z.strictObject({
    provider: z.literal('openai-responses').describe('OpenAI Responses.'),
    baseURL: baseURL.default('https://api.openai.com/v1').describe('Up to /v1.'),
    apiKey,
    model,
    ...settings,
  }),
  z.strictObject({
    provider: z.literal('openai-chat').describe('OpenAI Chat Completions.'),
    baseURL: baseURL.default('https://api.openai.com/v1').describe('Up to /v1.'),
    apiKey,
    model,
    ...settings,
  }),
  z.strictObject({
    provider: z.literal('openai-compatible').describe('Any server that speaks Chat Completions.'),
    baseURL: baseURL.describe('Up to /v1.'),
    apiKey: apiKey.optional(),
    model,
    ...settings,
  }),
  z.strictObject({
    provider: z.literal('anthropic').describe('Anthropic Messages.'),
    baseURL: baseURL.default('https://api.anthropic.com/v1').describe('Up to /v1.'),
    apiKey,
    model,
    ...settings,
  }),
  z.strictObject({
    provider: z.literal('scripted').describe('Plays a script, for tests.'),
    script: z.string().min(1).describe('Path of a YAML file: a list of replies.'),
  }),
  z.strictObject({
    provider: z.literal('demo').describe('Needs no key: chooses a tool by the words of the question.'),
  }),
]);
export type CandidateConfig = z.output<typeof CandidateConfig>;
export type HttpCandidate = Exclude<CandidateConfig, { provider: 'scripted' | 'demo' }>;
