import { describe, expect, it } from 'vitest';
import { appKeys } from './keys.ts';
import { seal, unseal } from './seal.ts';
import { readToken, signToken } from './token.ts';

const old = 'the key of yesterday, thirty-two and more';
const fresh = 'the key of today, thirty-two and more chars';
const claims = { visitor: 'v1', expires: 1_800_000_000, id: '0197c6d0-0000-7000-8000-000000000000' };
const before = new Date(1_799_999_999_000);

describe('an embed token', () => {
  it('SVE-3.2 holds until it expires, to the second', () => {
    const token = signToken(claims, appKeys([fresh]));
    expect(readToken(token, appKeys([fresh]), before)).toEqual(claims);
    expect(readToken(token, appKeys([fresh]), new Date(1_800_000_000_000))).toBeUndefined();
  });

  it('SVE-3.3 outlives its key’s turn as the first one, and dies with the key', () => {
    const token = signToken(claims, appKeys([old]));
    expect(readToken(token, appKeys([fresh, old]), before)).toEqual(claims);
    expect(readToken(token, appKeys([fresh]), before)).toBeUndefined();
    expect(signToken(claims, appKeys([fresh, old]))).toBe(signToken(claims, appKeys([fresh])));
  });

  it('SVE-3.3 is nothing when any letter of it was changed, or one was added', () => {
    const token = signToken(claims, appKeys([fresh]));
    const read = (text: string) => readToken(text, appKeys([fresh]), before);
    for (let at = 0; at < token.length; at += 1) {
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
      expect(read(changed), `letter ${at}`).toBeUndefined();
    }
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const readable = letters.split('').filter((letter) => read(token.slice(0, -1) + letter));
    expect(readable).toEqual([token.at(-1)]);
    for (const more of ['=', ' ', '!', 'A']) expect(read(token + more), more).toBeUndefined();
  });
});

describe('sealed credentials', () => {
  const credentials = { url: 'https://app.example.com/mcp', token: 'host-mcp-secret' };

  it('SVE-2.3 open for the token they came with and for no other', () => {
    const sealed = seal(credentials, claims.id, appKeys([fresh]));
    expect(unseal(sealed, claims.id, appKeys([fresh]))).toEqual(credentials);
    expect(() => unseal(sealed, 'another', appKeys([fresh]))).toThrow();
    expect(unseal(sealed, claims.id, appKeys([old]))).toBeUndefined();
  });
});
