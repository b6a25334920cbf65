import { z } from 'zod';

/** Answer to `POST /sveda/documents/extract`: the files in their order, each with its text or why there is none. */
export const ExtractAnswer = z.strictObject({
  items: z.array(
    z.union([
      z.strictObject({
        filename: z.string(),
        ok: z.literal(true),
        text: z.string().describe('Its text, ready for `files` of a message.'),
        cut: z.boolean().describe('There was more text than a message takes.'),
      }),
      z.strictObject({
        filename: z.string(),
        ok: z.literal(false),
        error: z.string().describe('One sentence for people.'),
      }),
    ]),
  ),
});
export type ExtractAnswer = z.infer<typeof ExtractAnswer>;
