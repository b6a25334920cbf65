import { anyone } from '@portolan/mcp/tool';
import { z } from 'zod';
import { composeBrief, tenths } from '../../harbour/composition.ts';
import { searchHarbours } from '../../harbour/search.ts';
import { tool } from '../../mcp/tool.ts';
import { Cursor, Limit } from '../shapes.ts';
import { Brief } from './shapes.ts';

const Degrees = z.strictObject({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) });

export const harbourSearch = tool('harbour_search', {
  title: 'Search harbours',
  says: 'Finds harbours by name, code, country or distance: with near the nearest first, else the best match first. All conditions must hold. Gives slugs for harbour_get.',
  access: anyone,
  effect: 'reads',
  input: z.strictObject({
    query: z.string().max(200).optional().describe('Words of a name, LOCODE or region'),
    country: z.string().max(100).optional().describe('English name or ISO code'),
    near: z
      .union([Degrees, z.string().max(200)])
      .optional()
      .describe('A point, or a harbour’s name, slug or LOCODE'),
    withinKm: z.number().positive().max(20_040).optional().describe('Radius around near; default 100'),
    services: z.array(z.string().max(100)).min(1).max(10).optional().describe('All must be offered'),
    minDepthM: z.number().positive().optional(),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({
    total: z.uint32(),
    harbours: z.array(Brief.extend({ distanceKm: z.number().optional() })),
    near: z.object({ lat: z.number(), lon: z.number(), slug: z.string().optional() }).optional(),
    notes: z.array(z.string()),
    nextCursor: z.string().optional(),
  }),
  example: { near: 'Tallinn', withinKm: 100 },
}).run(async ({ limit, cursor, ...asked }, { deps }) => {
  const { harbours, ...found } = await searchHarbours(deps.harbours, asked, { limit, cursor });
  return {
    ...found,
    harbours: harbours.map(({ distanceKm, ...harbour }) => ({
      ...composeBrief(harbour),
      ...(distanceKm !== undefined && { distanceKm: tenths(distanceKm) }),
    })),
  };
});
