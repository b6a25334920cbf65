import { needs } from '@portolan/mcp/tool';
import { z } from 'zod';
import { logbookEntries as entriesOf } from '../../logbook/entries.ts';
import { tool } from '../../mcp/tool.ts';
import { present } from '../present.ts';
import { Cursor, Id, Limit, NextCursor, Time } from '../shapes.ts';
import { filter, VesselClass } from './shapes.ts';

export const logbookEntries = tool('logbook_entries', {
  title: 'Read the logbook',
  says: 'Observed visits of vessels to harbours, the latest first. All conditions must hold. A fact that nobody observed is left out. For figures use logbook_stats.',
  access: needs('harbour'),
  effect: 'reads',
  input: z.strictObject({ ...filter, limit: Limit, cursor: Cursor }),
  output: z.object({
    entries: z.array(
      z.object({
        id: Id,
        harbour: z.string().describe('LOCODE'),
        arrival: Time.optional(),
        departure: Time.optional(),
        vesselClass: VesselClass,
        lengthM: z.number().optional(),
        source: z.string(),
        reference: z.string(),
      }),
    ),
    nextCursor: NextCursor,
  }),
  example: { harbour: 'tallinn-eetll', from: '2026-05-01T00:00:00Z', vesselClass: 'sailing' },
}).run(async ({ limit, cursor, ...asked }, { deps }) => {
  const { rows, ...page } = await entriesOf(deps.db, asked, { limit, cursor });
  return { entries: rows.map((row) => present(row)), ...page };
});
