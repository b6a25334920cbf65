import { anyone } from '@portolan/mcp/tool';
import { z } from 'zod';
import { countHarbours, FIELDS, OPERATORS } from '../../harbour/query.ts';
import { harbourStats as statsOf } from '../../harbour/stats.ts';
import { tool } from '../../mcp/tool.ts';
import { Cursor, Limit } from '../shapes.ts';

const Figure = z.uint32();
const Field = z.enum(FIELDS);

export const harbourQuery = tool('harbour_query', {
  title: 'Count harbours',
  says: 'Counts the harbours for which all conditions hold, and, with groupBy, how many share each value, the largest group first; value null groups those where it is not recorded. To list harbours use harbour_search.',
  access: anyone,
  effect: 'reads',
  input: z.strictObject({
    where: z
      .array(
        z.strictObject({
          field: Field,
          op: z.enum(OPERATORS).describe('Texts: is, starts_with. Numbers: is, at_least, at_most'),
          value: z
            .union([z.string().max(200), z.number()])
            .optional()
            .describe('Not with present, absent'),
        }),
      )
      .max(10)
      .default([]),
    groupBy: Field.optional(),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({
    total: Figure,
    groups: z
      .array(z.object({ value: z.union([z.string(), z.number(), z.null()]), count: Figure }))
      .optional(),
    nextCursor: z.string().optional(),
  }),
  example: { where: [{ field: 'lat', op: 'at_least', value: 60 }], groupBy: 'country' },
}).run(async ({ limit, cursor, ...query }, { deps }) =>
  countHarbours(deps.harbours, query, { limit, cursor }),
);

export const harbourStats = tool('harbour_stats', {
  title: 'Harbours in figures',
  says: 'The whole register in figures: harbours, countries, how many harbours have each fact that may be missing, and the ten countries with most harbours. For other counts use harbour_query.',
  access: anyone,
  effect: 'reads',
  input: z.strictObject({}),
  output: z.object({
    harbours: Figure,
    countries: Figure,
    recorded: z.object({
      position: Figure,
      province: Figure,
      timezone: Figure,
      customsCode: Figure,
      services: Figure,
      depth: Figure,
    }),
    largest: z.array(z.object({ country: z.string(), harbours: Figure })),
  }),
  example: {},
}).run(async (_, { deps }) => statsOf(deps.harbours));
