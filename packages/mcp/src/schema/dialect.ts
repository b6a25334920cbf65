/** A version of JSON Schema that we can judge by. */
export type Dialect = '2020-12' | 'draft-07';

/** What `$schema` may say. Absent means 2020-12 (MCP 2025-11-25 and 2026-07-28); nothing else is guessed. */
const DIALECTS: Readonly<Record<string, Dialect>> = {
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
  'https://json-schema.org/draft/2020-12/schema#': '2020-12',
  'http://json-schema.org/draft-07/schema': 'draft-07',
  'http://json-schema.org/draft-07/schema#': 'draft-07',
};

/** The dialect that a schema declares; undefined when it is one that we do not know. */
export function dialectOf(schema: object | boolean): Dialect | undefined {
  if (typeof schema === 'boolean' || !Object.hasOwn(schema, '$schema')) return '2020-12';
  const { $schema } = schema as { readonly $schema: unknown };
  return typeof $schema === 'string' && Object.hasOwn(DIALECTS, $schema) ? DIALECTS[$schema] : undefined;
}
