import { needs } from '@portolan/mcp/tool';
import { z } from 'zod';
import { GROUPINGS, logbookStats as statsOf } from '../../logbook/stats.ts';
import { tool } from '../../mcp/tool.ts';
import { present } from '../present.ts';
import { Count, Cursor, Limit, NextCursor } from '../shapes.ts';
import { filter } from './shapes.ts';

const Figures = z.object({
  visits: Count,
  arrivals: Count,
  departures: Count,
  meanLengthM: z.number().optional(),
  meanStayH: z.number().optional().describe('Hours, over visits with arrival and departure'),
});

export const logbookStats = tool('logbook_stats', {
  title: 'Harbour traffic in figures',
  says: 'Counts and means over the observed visits that match, and with groupBy those of each day, ISO week (both UTC), vessel class or harbour, in the order of their names. For the visits themselves use logbook_entries.',
  access: needs('harbour'),
  effect: 'reads',
  input: z.strictObject({
    ...filter,
    groupBy: z.enum(GROUPINGS).optional(),
    limit: Limit.describe('Groups a page'),
    cursor: Cursor,
  }),
  output: Figures.extend({
    groups: z.array(Figures.extend({ group: z.string() })).optional(),
    nextCursor: NextCursor,
  }),
  example: { harbour: 'EETLL', groupBy: 'week' },
}).run(async ({ limit, cursor, ...asked }, { deps }) => {
  const { groups, ...total } = await statsOf(deps.db, asked, { limit, cursor });
  return { ...present(total), ...(groups && { groups: groups.map((row) => present(row)) }) };
});
