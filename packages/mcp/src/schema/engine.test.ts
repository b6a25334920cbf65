import { expect, it } from 'vitest';
import { compile } from './engine.ts';
import { isFault, readSchema, type Schema } from './schema.ts';
import { within } from './watchdog.ts';

const dialects = ['https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema#'];

// Alone in its process: what is stopped is the first schema of each dialect.
it.each(dialects)('A-06 a schema that is stopped while it is compiled spoils no other: %s', ($schema) => {
  const schema = schemaOf({ $schema, type: 'object', properties: { at: { type: 'string' } } });
  let stopped = 0;
  let ms = 1;
  for (; within(ms, () => compile(schema, true)) === undefined; ms *= 2) stopped += 1;
  expect(stopped).toBeGreaterThan(1);
  expect(compile(schema, true).validate({ at: 1 })).toBe(false);
  expect(compile(schema, true).validate({ at: 'x' })).toBe(true);
});

function schemaOf(source: object): Schema {
  const schema = readSchema(source);
  if (isFault(schema)) throw new Error(schema.says);
  return schema;
}
