import { CandidateConfig } from '@portolan/agent';
import { PolicyDocument } from '@sveda-ai/protocol';
import { z } from 'zod';
import { Mcp, Web } from './tools-schema.ts';

/** An origin as browsers send it. */
const Origin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    'must be an origin such as https://app.example',
  );

function count(byDefault: number, says: string) {
  return z.int().min(1).default(byDefault).describe(says);
}

/** sveda.yaml. The JSON Schema for editors is made of this. */
export const Configuration = z.strictObject({
  models: z
    .array(CandidateConfig)
    .min(1, 'needs a model; `provider: demo` works without a key')
    .describe('The models to ask, in order: the next one when the one before gave no output.'),
  instructions: z
    .string()
    .max(20_000)
    .default('You help a visitor of this site. Use the tools for facts; say so when they do not have them.')
    .describe('What the model is told before everything else.'),
  contextTokens: z.int().min(1_000).default(128_000).describe("Size of the model's context, in tokens."),
  policies: z
    .record(
      z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'needs 1 to 64 letters, digits, hyphens or underscores'),
      PolicyDocument,
    )
    .default({})
    .describe('Named capability documents; a token names one.'),
  mcp: Mcp,
  web: Web,
  cors: z
    .strictObject({
      origins: z.array(Origin).max(100).describe('Origins whose pages may call. Exact, no wildcards.'),
    })
    .default({ origins: [] }),
  limits: z
    .strictObject({
      mintsPerMinute: count(120, 'Tokens that one host key mints from one address.'),
      postsPerMinute: count(60, 'Messages, results and decisions of one visitor.'),
      postsPerMinuteFromAddress: count(600, 'The same from one address, whoever sends them.'),
      postsPerMinuteOfNode: count(6_000, 'The same on this node, whoever sends them.'),
      extractionsPerMinute: count(20, 'Posts of files by one visitor.'),
      turnsOfVisitor: count(4, 'Turns of one visitor that run at once on this node.'),
      turnsOfNode: count(500, 'Turns that run at once on this node.'),
      streamsOfVisitor: count(10, 'Streams of one visitor that are open at once on this node.'),
      streamsOfNode: count(5_000, 'Streams that are open at once on this node.'),
    })
    .prefault({}),
});
export type Configuration = z.output<typeof Configuration>;
