import { describe, expect, it } from 'vitest';
import { openValidation } from './validate.ts';

const object = { type: 'object', properties: { name: { type: 'string' } } };

describe('the checks of a segment', () => {
  it('SVE-14.5 say what is wrong with arguments', () => {
    const validate = openValidation(() => 0);
    expect(validate(object, { name: 'Tallinn' })).toBeUndefined();
    expect(validate(object, { name: 1 })).toBe('/name must be string');
  });

  it('SVE-14.5 end, and let no call through, once they have taken a second of the processor', () => {
    const times = [0, 999, 2_000, 2_001, 3_000, 3_999];
    const validate = openValidation(() => times.shift() ?? 0);
    expect(validate(object, { name: 'Tallinn' })).toBeUndefined();
    expect(validate(object, { name: 'Riga' })).toBeUndefined();
    expect(validate(object, { name: 'Helsinki' })).toBe(
      'The arguments cannot be checked: the schemas of these tools take too long.',
    );
    expect(openValidation(() => 0)(object, { name: 'Helsinki' })).toBeUndefined();
  });
});
