import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Dialect } from './dialect.ts';
import { compilePattern } from './pattern.ts';
import { plain } from './plain.ts';
import type { Schema } from './schema.ts';

/** A compiled schema. */
export interface Engine {
  readonly validate: ValidateFunction;
  /** A hostile schema could make this validation take for ever: run it under a watchdog. */
  readonly watched: boolean;
}

/**
 * Nothing is coerced, defaulted or loaded; unknown words and formats are annotations. Every reference compiles to a
 * function of its own and the generated code is not optimised: both take the square of large schemas otherwise.
 */
const OPTIONS: Options = {
  strict: false,
  logger: false,
  validateFormats: false,
  ownProperties: true,
  inlineRefs: false,
};

const ENGINES = { '2020-12': Ajv2020, 'draft-07': Ajv } as const;

/** Validates schemas themselves. It never keeps one. */
const judges = new Map<Dialect, Ajv | Ajv2020>();

/**
 * Compiles a schema in an engine of its own, so that no `$id` ever meets that of another schema. Throws what is wrong
 * with it. `every`: the validation looks for every fault, not only for the first.
 */
export function compile({ source, dialect }: Schema, every: boolean): Engine {
  requireValid(source, dialect);
  const schema = plain(source) as object | boolean;
  let native = false;
  const regExp = (pattern: string) => compilePattern(pattern, () => (native = true));
  const code = { optimize: false, regExp: Object.assign(regExp, { code: 'compilePattern' }) };
  const ajv = new ENGINES[dialect]({ ...OPTIONS, code, allErrors: every, validateSchema: false });
  const validate = ajv.compile(schema);
  return { validate, watched: native || mayExplode(source) };
}

function requireValid(source: object | boolean, dialect: Dialect): void {
  const judge = judgeOf(dialect);
  if (judge.validateSchema(source) === true) return;
  const [first] = judge.errors ?? [];
  throw new Error(`${first?.instancePath || 'the root'} ${first?.message ?? 'is no schema'}`);
}

/** Kept once it has judged: one that was stopped while it compiled itself would refuse every schema. */
function judgeOf(dialect: Dialect): Ajv | Ajv2020 {
  const known = judges.get(dialect);
  if (known) return known;
  const judge = new ENGINES[dialect](OPTIONS);
  void judge.validateSchema({});
  judges.set(dialect, judge);
  return judge;
}

/** Without references time is bounded by schema times value; with them by its powers. Unique items take the square. */
function mayExplode(source: object | boolean): boolean {
  return /"(\$ref|\$dynamicRef|uniqueItems)":/.test(JSON.stringify(source));
}
