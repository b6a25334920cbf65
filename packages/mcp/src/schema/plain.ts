/** Keywords whose value is one schema, or a list of schemas. */
const SCHEMAS = new Set([
  'items',
  'prefixItems',
  'additionalItems',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
  'allOf',
  'anyOf',
  'oneOf',
]);

/** Keywords whose value maps names to schemas. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** Words that JSON Schema does not know, and to which the engine gives a meaning of its own. */
const FOREIGN = new Set(['nullable', '$async', 'id']);

/**
 * A copy for the engine, in which unknown words mean nothing, as JSON Schema has it: the engine would accept null for
 * `nullable`, refuse it beside `anyOf`, refuse `id`, and never refuse a value under `$async`.
 */
export function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([word]) => !FOREIGN.has(word));
  return Object.fromEntries(kept.map(([word, value]) => [word, plainValue(word, value)]));
}

function plainValue(word: string, value: unknown): unknown {
  if (SCHEMAS.has(word)) return plain(value);
  if (!MAPS.has(word) || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, plain(schema)]));
}
