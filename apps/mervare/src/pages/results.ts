import { Refusal } from '@portolan/mcp/tool';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { composeBrief, tenths } from '../harbour/composition.ts';
import { NEAR_KM } from '../harbour/conditions.ts';
import type { Position } from '../harbour/distance.ts';
import { harbourPositions } from '../harbour/list.ts';
import type { HarbourWithNeighbours } from '../harbour/read.ts';
import type { HarbourRow } from '../harbour/record.ts';
import { searchHarbours, type Found } from '../harbour/search.ts';
import type { PublicTables } from '../harbour/tables.ts';
import type { Drawing } from '../map/drawing.ts';
import { drawAround, drawFrom } from '../map/fit.ts';
import { drawWorld } from '../map/world.ts';
import type { Outcome, Results } from './harbours.tsx';
import { addressOf, SearchFields, searchOf } from './search-form.tsx';

const A_PAGE = 24;

/** What the page of a search shows: results, why there are none, or the world where nothing was asked. */
export async function outcomeOf(
  db: Kysely<PublicTables>,
  typed: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const read = SearchFields.safeParse(typed);
  if (!read.success) return { refusal: faultsOf(read.error) };
  const { q, country, near } = read.data;
  if (q === undefined && country === undefined && near === undefined)
    return { world: drawWorld(await harbourPositions(db)) };
  try {
    return await results(db, read.data);
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.message };
    throw error;
  }
}

async function results(db: Kysely<PublicTables>, fields: SearchFields): Promise<Results> {
  const found = await searchHarbours(db, searchOf(fields), { limit: A_PAGE, cursor: fields.after });
  return {
    total: found.total,
    harbours: found.harbours.map(({ distanceKm, ...harbour }) => ({
      ...composeBrief(harbour),
      ...(distanceKm !== undefined && { distanceKm: tenths(distanceKm) }),
    })),
    notes: found.notes,
    drawing: drawFound(found, fields.km),
    ...(found.nextCursor !== undefined && { next: addressOf(fields, found.nextCursor) }),
  };
}

/** What was found, around the place that was asked for where there was one. */
function drawFound({ near, harbours }: Found, km = NEAR_KM): Drawing {
  const places = harbours.flatMap(positionOf);
  return near ? drawFrom(near, km, places) : drawAround(places);
}

/** The coast around a harbour, with its neighbours; nothing where it has no position. */
export function drawNeighbourhood({ harbour, neighbours }: HarbourWithNeighbours): Drawing | undefined {
  const [center] = positionOf(harbour);
  const farthest = Math.max(0, ...neighbours.map(({ distanceKm }) => distanceKm));
  return center && drawFrom(center, farthest, [center, ...neighbours.flatMap(positionOf)]);
}

function positionOf({
  latitude: lat,
  longitude: lon,
}: Pick<HarbourRow, 'latitude' | 'longitude'>): Position[] {
  return lat === null || lon === null ? [] : [{ lat, lon }];
}

const labels: Readonly<Record<string, string>> = {
  q: 'Name',
  country: 'Country',
  near: 'Near a harbour',
  km: 'Within km',
  after: 'The address',
};

function faultsOf(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => `${labels[String(path[0])] ?? 'The address'} ${message}.`)
    .join(' ');
}
