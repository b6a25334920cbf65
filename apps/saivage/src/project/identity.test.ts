import { Misconfigured } from '@portolan/mcp/tool';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { folderOfTest, makeProject } from '../testing/project.ts';
import { identityDigest, readIdentity, safeName } from './identity.ts';

describe('the identity of a project', () => {
  it('SAI-21.1 has the digest of its id and its time of creation', () => {
    // printf '%s' '{"id":"…","created_at":"…"}' | sha256sum
    expect(
      identityDigest({ id: '2003686f-0798-4a9a-9439-f392b339e6f1', created_at: '2026-11-30T14:44:12.376Z' }),
    ).toBe('cbde9dbafacbecc3b5d0168110a43c7bedd5b10b1d94ef227d9fb528cbb055a2');
  });

  it('SAI-2.1 is read as it was written, and nothing else is taken for one', () => {
    const folder = makeProject(folderOfTest());
    expect(readIdentity(folder.identity).name).toBe(folder.root.split('/').at(-1));
    writeFileSync(folder.identity, '{"id": "project"}');
    expect(() => readIdentity(folder.identity)).toThrow(Misconfigured);
    expect(() => readIdentity(`${folder.root}/none`)).toThrow(/Run `saivage init` first\.$/);
  });

  it.each([
    ['plain', 'plain'],
    ['two\nlines\u0000\u001b[31m', 'two lines [31m'],
    ['\u202eright to left', 'right to left'],
    ['  much   space ', 'much space'],
    ['\u200b\u0007', 'unnamed'],
    ['é'.repeat(90), 'é'.repeat(80)],
    ['😀'.repeat(90), '😀'.repeat(80)],
  ])('SAI-23.1 shows the name %j as %j', (name, shown) => {
    expect(safeName({ name })).toBe(shown);
  });
});
