import { compile, type Engine } from './engine.ts';
import { clip, toRows } from './rows.ts';
import type { Schema, SchemaFault } from './schema.ts';
import { within } from './watchdog.ts';

/** How a value stands to a schema. */
export type Verdict =
  | { readonly kind: 'valid' }
  /** `rows`: at most eight lines of at most 120 characters, without anything of the value. */
  | { readonly kind: 'invalid'; readonly rows: readonly string[] }
  /** The schema itself cannot be used. */
  | { readonly kind: 'unusable'; readonly fault: SchemaFault };

/** Longest times in milliseconds; compiled schemas that are kept; largest value of which every fault is looked for. */
const COMPILE_MS = 3_000;
const VALIDATE_MS = 1_000;
const KEPT = 500;
const EVERY_FAULT_UP_TO = 5_000;

const kept = new Map<string, Engine | SchemaFault>();

/** Validates a value. Compiles the schema at its first use and keeps it; changes neither. Never throws. */
export function validate(schema: Schema, value: unknown): Verdict {
  const every = isSmall(value);
  const engine = engineOf(schema, every);
  if ('code' in engine) return { kind: 'unusable', fault: engine };
  const answer = run(engine, value);
  if (answer === undefined) return { kind: 'unusable', fault: keep(keyOf(schema, every), COSTLY) };
  if (answer === 'too deep')
    return { kind: 'invalid', rows: ['the value is nested too deeply to be checked'] };
  if (answer) return { kind: 'valid' };
  return { kind: 'invalid', rows: toRows(engine.validate.errors ?? [], schema.names) };
}

/** What keeps a schema from being used, found by compiling it; undefined when it can be used. */
export function faultOf(schema: Schema): SchemaFault | undefined {
  const engine = engineOf(schema, true);
  return 'code' in engine ? engine : undefined;
}

const COSTLY: SchemaFault = { code: 'schema_too_costly', says: 'Checking a value by it takes too long.' };

function engineOf(schema: Schema, every: boolean): Engine | SchemaFault {
  const key = keyOf(schema, every);
  const known = kept.get(key);
  return keep(key, known ?? compiled(schema, every));
}

function compiled(schema: Schema, every: boolean): Engine | SchemaFault {
  try {
    const done = within(COMPILE_MS, () => compile(schema, every));
    return done?.value ?? { code: 'schema_too_costly', says: 'Compiling it takes too long.' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    return { code: 'schema_compile_error', says: clip(`It cannot be compiled: ${reason}`) };
  }
}

/** Undefined when it took too long. */
function run({ validate, watched }: Engine, value: unknown): boolean | 'too deep' | undefined {
  try {
    return watched ? within(VALIDATE_MS, () => validate(value))?.value : validate(value);
  } catch (error) {
    if (error instanceof RangeError) return 'too deep';
    throw error;
  }
}

/** Puts an entry at the young end of what is kept, and lets the oldest go. */
function keep<T extends Engine | SchemaFault>(key: string, entry: T): T {
  kept.delete(key);
  kept.set(key, entry);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  return entry;
}

function keyOf({ hash }: Schema, every: boolean): string {
  return `${hash}:${every ? 'every' : 'first'}`;
}

/** A value with millions of faults would need memory for each. */
function isSmall(value: unknown): boolean {
  let left = EVERY_FAULT_UP_TO;
  const count = (part: unknown): boolean => {
    if (--left < 0) return false;
    return typeof part !== 'object' || part === null || Object.values(part).every(count);
  };
  try {
    return count(value);
  } catch {
    return false;
  }
}
