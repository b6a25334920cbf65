import { z } from 'zod';
import { ContentFailure } from './errors.ts';

/** A block of a type that we know, or any other object with a type. Members that we do not know are kept. */
const Text = z.looseObject({ type: z.literal('text'), text: z.string() });
const Binary = z.looseObject({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() });
const Resource = z.looseObject({
  type: z.literal('resource'),
  resource: z.looseObject({ uri: z.string(), text: z.string().optional(), blob: z.string().optional() }),
});
const Link = z.looseObject({ type: z.literal('resource_link'), uri: z.string(), name: z.string() });
const KNOWN = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);
const Other = z.looseObject({ type: z.string().refine((type) => !KNOWN.has(type)) });

const Block = z.union([Text, Binary, Resource, Link, Other]);

const Envelope = z.looseObject({
  content: z.array(Block).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
});

/** One content block of a tool result. */
export type Block = z.infer<typeof Block>;

/** A result of tools/call, validated whole. */
export interface ReadEnvelope {
  readonly blocks: readonly Block[];
  readonly structuredContent: unknown;
  readonly isError: boolean;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
}

/** Validates a result of tools/call as a whole. Throws `ContentFailure`. */
export function readEnvelope(answer: Readonly<Record<string, unknown>>): ReadEnvelope {
  const { data } = Envelope.safeParse(answer);
  if (!data || (data.content === undefined && data.structuredContent === undefined)) {
    throw new ContentFailure('envelope_malformed', 'The result is no tool result');
  }
  const { content: blocks = [], structuredContent, isError = false, _meta: meta } = data;
  return { blocks, structuredContent, isError, meta };
}
