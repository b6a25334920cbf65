import { Refusal } from '@portolan/mcp/tool';
import { z } from 'zod';
import { faulty } from '../imports/imported.ts';
import { fold } from './fold.ts';
import type { HarbourRecord } from './record.ts';

/** What a file states about one harbour. A fact that is not stated stays as it was; `null` takes it away. */
export type Statement = Pick<HarbourRecord, 'locode'> & Partial<HarbourRecord>;

const MOST_FEATURES = 100_000;

/** One line of plain text: no control characters, nothing at the edges. */
const line = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\p{C}\p{Z}](?:[^\p{C}\u2028\u2029]*[^\p{C}\p{Z}])?$/u, 'must be one line of text');
const locode = z.string().regex(/^[A-Z]{2}[A-Z2-9]{3}$/, 'must be a UN/LOCODE such as EETLL');
const service = z.string().max(100).transform(fold).pipe(z.string().min(1));

const Properties = z.strictObject({
  locode,
  name: line(200).optional(),
  country: line(200).optional(),
  city: line(200).nullish(),
  province: line(200).nullish(),
  timezone: line(100).refine(isTimeZone, 'must be an IANA time zone').nullish(),
  aliases: z.array(line(200)).max(20).optional(),
  otherLocodes: z.array(locode).max(20).optional(),
  customsCode: z
    .string()
    .regex(/^\d{4,5}$/, 'must be four or five digits')
    .nullish(),
  services: z.array(service).min(1).max(50).nullish(),
  depthM: z.number().positive().lt(1000).nullish(),
});

/** RFC 7946: longitude first; an altitude may follow and is not kept. */
const Coordinates = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)], z.number());
const Feature = z.object({
  type: z.literal('Feature'),
  geometry: z.object({ type: z.literal('Point'), coordinates: Coordinates }).nullable(),
  properties: Properties,
});
const Collection = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(Feature).min(1).max(MOST_FEATURES),
});

/**
 * Reads a GeoJSON FeatureCollection of points, one harbour a feature. A feature without geometry leaves the position as it is.
 * Throws a Refusal that names the faults by feature; nothing is read from a file with a fault.
 */
export function readGeoJson(text: string): Statement[] {
  const read = Collection.safeParse(parse(text));
  if (!read.success)
    throw faulty(read.error.issues.map(({ path, message }) => `${pathOf(path)}: ${message}`));
  const statements = read.data.features.map(({ geometry, properties }) => toStatement(geometry, properties));
  const twice = repeated(statements.map((one) => one.locode));
  if (twice.length > 0) throw faulty(twice.map((code) => `${code}: stands in more than one feature`));
  return statements;
}

function toStatement(
  geometry: z.output<typeof Feature>['geometry'],
  properties: z.output<typeof Properties>,
): Statement {
  const { otherLocodes, customsCode, depthM, ...same } = properties;
  const [longitude, latitude] = geometry?.coordinates ?? [];
  const { locode, ...facts } = {
    ...same,
    other_locodes: otherLocodes,
    customs_code: customsCode,
    depth_m: depthM,
    longitude,
    latitude,
  };
  return { locode, ...stated(facts) };
}

/** Only the properties that have a value; `null` is one. */
function stated<T extends object>(facts: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('invalid_input', 'The file is not JSON.');
  }
}

function pathOf(path: readonly PropertyKey[]): string {
  return (
    path
      .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
      .join('')
      .replace(/^\./, '') || 'file'
  );
}

function repeated(codes: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(codes.filter((code) => seen.has(code) || !seen.add(code)))];
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
