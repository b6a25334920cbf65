import { describe, expect, it } from 'vitest';
import { newId } from './id.ts';

describe('newId', () => {
  it('is a UUID of version 7 that begins with the time', () => {
    // The example of RFC 9562, appendix A.6.
    const random = Buffer.from('0cc318c4dc0c0c07398f', 'hex');
    expect(newId(0x017f22e279b0, random)).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
  });

  it('sorts by time and does not repeat', () => {
    const ids = Array.from({ length: 1_000 }, (_, ms) => newId(1_700_000_000_000 + ms));
    expect([...ids].sort((a, b) => (a < b ? -1 : 1))).toEqual(ids);
    expect(new Set(Array.from({ length: 1_000 }, () => newId(0))).size).toBe(1_000);
  });
});
