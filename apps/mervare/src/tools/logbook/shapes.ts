import { z } from 'zod';
import { VESSEL_CLASSES } from '../../logbook/tables.ts';
import { Time, Text } from '../shapes.ts';

export const VesselClass = z.enum(VESSEL_CLASSES);

/** What both tools filter by. */
export const filter = {
  harbour: Text(200).optional().describe('Slug or LOCODE, from harbour_search'),
  from: Time.optional().describe('First moment, UTC, of the first sighting of a visit'),
  to: Time.optional().describe('First moment after the period'),
  vesselClass: VesselClass.optional(),
  minLengthM: z.number().positive().optional(),
  maxLengthM: z.number().positive().optional(),
  source: Text(64).optional().describe('As logbook_entries shows it'),
};
