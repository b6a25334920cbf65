import { createHash } from 'node:crypto';
import { dialectOf, type Dialect } from './dialect.ts';

/** Why a schema cannot be used. */
export type SchemaCode =
  'schema_missing' | 'schema_unsupported' | 'schema_too_large' | 'schema_too_costly' | 'schema_compile_error';

/** What is wrong with a schema: a stable code, and a bounded sentence that quotes nothing but the schema. */
export interface SchemaFault {
  readonly code: SchemaCode;
  readonly says: string;
}

/** A foreign schema that may be compiled. */
export interface Schema {
  /** As it was sent. */
  readonly source: object | boolean;
  readonly dialect: Dialect;
  /** SHA-256 of its JSON text: what compiled validators are kept by. */
  readonly hash: string;
  /** Every name that it mentions. Others come from the value, and are never shown. */
  readonly names: ReadonlySet<string>;
}

/** Limits of a foreign schema, chosen so that compiling one at its limit takes seconds at most. */
export const SCHEMA_LIMITS = {
  /** Bytes of its JSON text. */
  bytes: 128 * 1024,
  /** Objects and arrays within each other. */
  depth: 128,
} as const;

/**
 * Reads a foreign JSON Schema: its dialect and its size. Compiles nothing and loads nothing, so it is cheap enough for
 * whole catalogs. A schema without `$schema` is 2020-12; a boolean is a schema.
 */
export function readSchema(source: unknown): Schema | SchemaFault {
  if (
    typeof source !== 'boolean' &&
    (typeof source !== 'object' || source === null || Array.isArray(source))
  ) {
    return { code: 'schema_missing', says: 'There is no schema, or it is no JSON object.' };
  }
  const names = new Set<string>();
  if (!isShallow(source, SCHEMA_LIMITS.depth, names)) {
    return {
      code: 'schema_too_large',
      says: `The schema is nested more than ${SCHEMA_LIMITS.depth} levels deep.`,
    };
  }
  const text = JSON.stringify(source);
  if (Buffer.byteLength(text) > SCHEMA_LIMITS.bytes) {
    return { code: 'schema_too_large', says: `The schema is larger than ${SCHEMA_LIMITS.bytes / 1024} KiB.` };
  }
  const dialect = dialectOf(source);
  if (!dialect)
    return { code: 'schema_unsupported', says: 'Its $schema names neither 2020-12 nor draft-07.' };
  return { source, dialect, hash: createHash('sha256').update(text).digest('hex'), names };
}

/** Tells the two answers of `readSchema` apart. */
export function isFault(answer: Schema | SchemaFault): answer is SchemaFault {
  return 'code' in answer;
}

/** Collects names on its way. Objects of a parsed JSON text have no cycles, but may be nested without end. */
function isShallow(value: unknown, depth: number, names: Set<string>): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (!Array.isArray(value)) for (const name of Object.keys(value)) names.add(name);
  return Object.values(value).every((inner) => isShallow(inner, depth - 1, names));
}
