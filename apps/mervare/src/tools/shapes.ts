import { Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { isStorable, NOT_STORABLE } from '../text/storable.ts';

/** What the tools of several families share. */
export const Limit = z.int().min(1).max(100).default(20);
export const Cursor = z.string().max(1000).optional().describe('nextCursor of the page before');
export const NextCursor = z.string().optional();

/**
 * A text of a known format. Listed with the format's name alone: the pattern behind it would cost a model a hundred tokens each time.
 */
const formatted = (format: string, schema: z.ZodType<string>) =>
  z
    .string()
    .refine((text) => schema.safeParse(text).success, `must be ${format}`)
    .meta({ format });

export const Id = formatted('uuid', z.uuid());
/** ISO 8601 in UTC. */
export const Time = formatted('date-time', z.iso.datetime());
export const Day = formatted('date', z.iso.date());
export const Email = formatted('email', z.email().max(254));
export const WebAddress = formatted('uri', z.url({ protocol: /^https?$/ }).max(2000));

/** Who wrote something, and when. */
export const written = { id: Id, by: z.string(), at: Time };

export const Count = z.uint32();

/** Text that is not empty. */
export const Text = (most: number) => z.string().min(1).max(most).refine(isStorable, NOT_STORABLE);

export const IdempotencyKey = Text(200)
  .optional()
  .describe('Yours: repeating the call with it within 24 h gives the first answer');
/** A whole number, listed without the bounds of a safe integer. */
export const Whole = z
  .number()
  .refine(Number.isSafeInteger, 'must be a whole number')
  .meta({ type: 'integer' });

export const ExpectedVersion = Whole.describe('version as you read it');
export const Version = Whole;

/** Marks text of others, where it may be missing. */
export const OptionalUntrusted = Untrusted.optional();

/** Of a tool that publishes, sends, queues, decides, grants or destroys: whoever runs it for a person asks that person first. */
export const confirmed = { confirmation: 'required' } as const;
