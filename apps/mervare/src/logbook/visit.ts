import { z } from 'zod';
import { VESSEL_CLASSES } from './tables.ts';

/** Times of observers carry their offset: a time without one is a guess. */
const Time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-05-01T10:30:00Z' })
  .transform((text) => new Date(text));

/** What an observer states about one visit. */
export const Visit = z
  .strictObject({
    source: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be a short name such as ais-tallinn'),
    reference: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$/, 'must be the source’s own number of the visit'),
    harbour: z.string().regex(/^[A-Z]{2}[A-Z2-9]{3}$/, 'must be a UN/LOCODE such as EETLL'),
    arrival: Time.optional(),
    departure: Time.optional(),
    vesselClass: z.enum(VESSEL_CLASSES),
    lengthM: z.number().positive().lt(500).optional(),
  })
  .refine(({ arrival, departure }) => arrival !== undefined || departure !== undefined, {
    path: ['arrival'],
    error: 'and departure are not both missing',
  })
  .refine(({ arrival, departure }) => !arrival || !departure || arrival <= departure, {
    path: ['departure'],
    error: 'must not be before arrival',
  });

export type Visit = z.output<typeof Visit>;

/** The most visits that one import may bring. */
export const MOST_VISITS = 100_000;
