import { z } from 'zod';

/** What the harbour tools share. An output names every field that it gives: what is not named is not served. */
export const Brief = z.object({
  slug: z.string(),
  name: z.string(),
  locode: z.string(),
  country: z.string(),
  city: z.string().optional(),
  position: z.object({ lat: z.number(), lon: z.number() }).optional(),
});

export const Limit = z.int().min(1).max(100).default(20);
export const Cursor = z.string().max(1000).optional().describe('nextCursor of the page before');
