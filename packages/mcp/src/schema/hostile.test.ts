import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOf, isFault, readSchema, validate, type Schema } from '../schema.ts';
import { within } from './watchdog.ts';

function read(source: unknown): Schema {
  const schema = readSchema(source);
  if (isFault(schema)) throw new Error(schema.code);
  return schema;
}

/** Milliseconds that this process computes for it, whatever others take on a busy machine. */
function cost(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function nested(levels: number): unknown {
  let value: unknown = {};
  for (let level = 1; level < levels; level++) value = { not: value };
  return value;
}

describe('a hostile schema', () => {
  it('SAI-34.5 costs time that is computed, not time that others take on a busy machine', () => {
    const idle = new Int32Array(new SharedArrayBuffer(4));
    let times = 0;
    const starved = () => {
      times += 1;
      if (times < 3) Atomics.wait(idle, 0, 0);
      return 'done';
    };
    expect(within(200, starved)).toEqual({ value: 'done' });
    times = 0;
    const busy = () => {
      for (times += 1; ;);
    };
    expect([within(200, busy), times]).toEqual([undefined, expect.any(Number)]);
    expect(times).toBeLessThanOrEqual(4);
  });

  it('SAI-34.5 is refused past 128 levels and past 128 KiB, and read at both', () => {
    expect(readSchema(nested(128))).toMatchObject({ dialect: '2020-12' });
    expect(readSchema(nested(129))).toMatchObject({ code: 'schema_too_large' });
    expect(readSchema(nested(200_000))).toMatchObject({ code: 'schema_too_large' });
    const padding = JSON.stringify({ title: '' }).length;
    expect(readSchema({ title: 'x'.repeat(128 * 1024 - padding) })).toMatchObject({ dialect: '2020-12' });
    expect(readSchema({ title: 'x'.repeat(128 * 1024 - padding + 1) })).toMatchObject({
      code: 'schema_too_large',
    });
  });

  it('SAI-34.5 gains nothing by a pattern that backtracks', () => {
    const schema = read({ type: 'string', pattern: '^(a+)+$' });
    // One that does is stopped, and then no verdict at all.
    expect(validate(schema, `${'a'.repeat(5_000)}!`).kind).toBe('invalid');
  });

  it.each([
    ['a pattern that only backtracking can match', { pattern: '^(?=a)(a+)+$' }, `${'a'.repeat(60)}!`],
    [
      'alternatives that refer to themselves',
      {
        $defs: {
          n: { anyOf: Array.from({ length: 12 }, () => ({ items: { $ref: '#/$defs/n' }, minItems: 1 })) },
        },
        $ref: '#/$defs/n',
      },
      JSON.parse(`${'['.repeat(20)}${']'.repeat(20)}`) as unknown,
    ],
  ])('SAI-34.5 is stopped after a second, once: %s', (_, source, value) => {
    const schema = read(source);
    const begin = performance.now();
    expect(validate(schema, value)).toMatchObject({
      kind: 'unusable',
      fault: { code: 'schema_too_costly' },
    });
    expect(performance.now() - begin).toBeGreaterThan(900);
    expect(cost(() => expect(validate(schema, value).kind).toBe('unusable'))).toBeLessThan(300);
  });

  it('SAI-34.5 cannot make a deep value end the process', () => {
    const schema = read({ items: { $ref: '#' } });
    const value = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;
    expect(validate(schema, value)).toEqual({
      kind: 'invalid',
      rows: ['the value is nested too deeply to be checked'],
    });
  });

  it('SAI-34.5 is a fault of its own kind where it does not compile', () => {
    for (const source of [
      { type: 'strin' },
      { pattern: '(' },
      { $ref: '#/nowhere' },
      { properties: [] },
      { $id: '##' },
    ]) {
      expect(faultOf(read(source))).toMatchObject({ code: 'schema_compile_error' });
    }
  });

  it('keeps two patterns of one schema apart', () => {
    const schema = read({
      properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' }, c: { pattern: '^(?=c)c$' } },
    });
    expect(validate(schema, { a: 'a', b: 'b', c: 'c' }).kind).toBe('valid');
    expect(validate(schema, { a: 'b', b: 'a', c: 'd' })).toMatchObject({ rows: [{}, {}, {}] });
  });
});

describe('what is told about a value', () => {
  it('SAI-34.6 is eight lines of 120 characters at most', () => {
    const names = Array.from({ length: 20 }, (_, index) => `${'n'.repeat(150)}${index}`);
    const answer = validate(read({ required: names }), {});
    if (answer.kind !== 'invalid') throw new Error(answer.kind);
    expect(answer.rows).toHaveLength(8);
    expect(answer.rows.every((row) => row.length <= 120)).toBe(true);
  });

  it('SAI-34.6 names the place and the wish', () => {
    const schema = read({
      properties: {
        from: { type: 'object', properties: { lat: { type: 'number' } } },
        mode: { enum: ['sea', 'air'] },
      },
      required: ['from', 'to'],
      additionalProperties: { type: 'string' },
    });
    expect(validate(schema, { from: { lat: 'x' }, mode: 'rail', hunter2: 3 })).toEqual({
      kind: 'invalid',
      rows: [
        "the value must have required property 'to'",
        '/* must be string',
        '/from/lat must be number',
        '/mode must be one of "sea", "air"',
      ],
    });
  });

  it('SAI-34.6 never shows anything of the value', () => {
    const secret = 'hunter2';
    const schema = read({
      properties: { a: { type: 'number' }, b: { const: 1 }, c: { maxLength: 1 }, d: { not: {} } },
      additionalProperties: false,
      propertyNames: { maxLength: 3 },
    });
    fc.assert(
      fc.property(
        fc.object({ key: fc.constantFrom('a', 'b', 'c', 'd', secret), values: [fc.constant(secret)] }),
        (value) => {
          const answer = validate(schema, value);
          expect(JSON.stringify(answer)).not.toContain(secret);
        },
      ),
      { numRuns: 200 },
    );
  });
});
