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
