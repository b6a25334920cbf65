import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { faultOf, isFault, readSchema, validate, type Schema } from '../schema.ts';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema';

function read(source: unknown): Schema {
  const schema = readSchema(source);
  if (isFault(schema)) throw new Error(schema.code);
  return schema;
}

const verdict = (source: unknown, value: unknown) => validate(read(source), value).kind;

describe('the dialect of a schema', () => {
  const pair = { properties: { at: { type: 'array', items: [{ type: 'number' }, { type: 'string' }] } } };

  it('SAI-34.1 is 2020-12 without $schema: prefixItems counts, a tuple of draft-07 is no schema', () => {
    const source = { properties: { at: { prefixItems: [{ type: 'number' }, { type: 'string' }] } } };
    expect(verdict(source, { at: [1, 'a'] })).toBe('valid');
    expect(verdict(source, { at: [1, 2] })).toBe('invalid');
    expect(faultOf(read(pair))?.code).toBe('schema_compile_error');
  });

  it.each([DRAFT_07, `${DRAFT_07}#`])('SAI-34.1 is draft-07 where it says %s', ($schema) => {
    expect(verdict({ ...pair, $schema }, { at: [1, 'a'] })).toBe('valid');
    expect(verdict({ ...pair, $schema }, { at: [1, 2] })).toBe('invalid');
    // Words of the other dialect mean nothing.
    expect(
      verdict({ $schema, prefixItems: [{ type: 'number' }], dependentRequired: { a: ['b'] } }, { a: 1 }),
    ).toBe('valid');
  });

  it.each(['', '#'])('SAI-34.1 is 2020-12 where it says so (%o at its end)', (end) => {
    const source = {
      $schema: `https://json-schema.org/draft/2020-12/schema${end}`,
      dependentRequired: { a: ['b'] },
    };
    expect(verdict(source, { a: 1 })).toBe('invalid');
  });

  it.each([
    'http://json-schema.org/draft-04/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'https://json-schema.org/draft-07/schema#',
    '',
    7,
    null,
    'toString',
  ])('SAI-34.1 is refused where it says %o', ($schema) => {
    expect(readSchema({ $schema, type: 'object' })).toEqual({
      code: 'schema_unsupported',
      says: 'Its $schema names neither 2020-12 nor draft-07.',
    });
  });

  it('SAI-34.1 allows boolean schemas, and refuses what is none', () => {
    expect([verdict(true, { a: 1 }), verdict(false, {})]).toEqual(['valid', 'invalid']);
    for (const none of [undefined, null, [], 'object', 3]) {
      expect(readSchema(none)).toMatchObject({ code: 'schema_missing' });
    }
  });
});

describe('words that the dialect does not know', () => {
  it.each([
    [{ type: 'string', nullable: true }, null, 'invalid'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }], nullable: true }, null, 'valid'],
    [{ $async: true, type: 'string' }, 1, 'invalid'],
    [{ id: 'old', type: 'string' }, 'a', 'valid'],
    [{ type: 'string', format: 'email' }, 'nobody', 'valid'],
    [{ type: 'object', discriminator: { propertyName: 'x' } }, {}, 'valid'],
    [{ properties: { nullable: { type: 'string' }, id: { type: 'string' } } }, { nullable: 1 }, 'invalid'],
    [{ const: { nullable: true } }, { nullable: true }, 'valid'],
  ])('SAI-34.2 mean nothing: %j of %j is %s', (source, value, expected) => {
    expect(verdict(source, value)).toBe(expected);
  });
});

describe('a foreign schema', () => {
  it('SAI-34.2 changes no value and is not changed: no coercion, no default, nothing removed', () => {
    const source = { properties: { a: { type: 'number', default: 1 }, b: {} }, additionalProperties: true };
    const value = { b: '2', extra: true };
    const before = structuredClone({ source, value });
    expect(verdict(source, value)).toBe('valid');
    expect(verdict(source, { a: '1' })).toBe('invalid');
    expect({ source, value }).toEqual(before);
  });

  it('SAI-34.2 looks at own properties alone', () => {
    expect(verdict({ required: ['toString'] }, {})).toBe('invalid');
    expect(verdict({ properties: { constructor: { type: 'string' } } }, {})).toBe('valid');
    expect(verdict(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), {})).toBe('valid');
  });

  it('SAI-34.3 loads nothing: a reference to another place is a fault', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const $ref = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.json`;
    expect(faultOf(read({ $ref }))).toMatchObject({ code: 'schema_compile_error' });
    expect(validate(read({ properties: { a: { $ref } } }), { a: 1 }).kind).toBe('unusable');
    server.close();
    await once(server, 'close');
    expect(requests).toBe(0);
  });

  it('SAI-34.3 may refer into itself, to its anchors and to the schema of schemas', () => {
    const tree = { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#' } } } };
    expect(verdict(tree, { kids: [{ kids: [] }] })).toBe('valid');
    expect(verdict(tree, { kids: [{ kids: 3 }] })).toBe('invalid');
    const anchored = { $defs: { a: { $anchor: 'n', type: 'number' } }, $ref: '#n' };
    expect([verdict(anchored, 1), verdict(anchored, 'a')]).toEqual(['valid', 'invalid']);
    const meta = { properties: { schema: { $ref: `${DRAFT_07}#` } }, $schema: DRAFT_07 };
    expect([verdict(meta, { schema: { type: 'string' } }), verdict(meta, { schema: { type: 3 } })]).toEqual([
      'valid',
      'invalid',
    ]);
  });

  it('SAI-34.4 never meets another one by its $id', () => {
    const $id = 'https://peer.example/tool';
    const number = { $id, $defs: { v: { type: 'number' } }, $ref: '#/$defs/v' };
    const text = { $id, $defs: { v: { type: 'string' } }, $ref: '#/$defs/v' };
    expect([verdict(number, 1), verdict(text, 1), verdict(number, 1)]).toEqual(['valid', 'invalid', 'valid']);
    expect(faultOf(read({ $ref: $id }))?.code).toBe('schema_compile_error');
  });
});
