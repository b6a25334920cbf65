import { Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';

/** What the tools of several families share. */
export const Limit = z.int().min(1).max(100).default(20);
export const Cursor = z.string().max(1000).optional().describe('nextCursor of the page before');
export const NextCursor = z.string().optional();
export const Id = z.uuid();
/** ISO 8601 in UTC. */
export const Time = z.iso.datetime();
export const Count = z.uint32();

/** Text that the database can keep: no U+0000, no half of a surrogate pair. */
export const Text = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((text) => !/[\0\p{Surrogate}]/u.test(text), 'must be text without U+0000 or lone surrogates');

export const IdempotencyKey = Text(200)
  .optional()
  .describe('Yours: repeating the call with it within 24 h gives the first answer');
export const ExpectedVersion = z.int().positive().describe('version as you read it');
export const Version = z.int();

/** Marks text of others, where it may be missing. */
export const OptionalUntrusted = Untrusted.optional();

/** Of a tool that publishes, sends, queues, decides, grants or destroys: whoever runs it for a person asks that person first. */
export const confirmed = { confirmation: 'required' } as const;
