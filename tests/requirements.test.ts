import { describe, expect, it } from 'vitest';
import { claimedIds, isKnown } from './requirements.ts';
import { read, sources } from './workspace.ts';

const ID = /\b(?:(?:SAI|MER|SVE)-\d+(?:\.\d+)?|[ABC]-\d\d)\b/g;
const TITLE = /\b(?:it|test|describe)(?:\.\w+)*(?:\([^'"`]*?\))?\(\s*(['"`])((?:(?!\1)[\s\S])*)\1/g;

const cited = new Set(
  ['packages', 'apps', 'tests']
    .flatMap((folder) => sources(folder, /\.test\.tsx?$/))
    .filter((file) => file !== 'tests/requirements.test.ts')
    .flatMap((file) => [...read(file).matchAll(TITLE)])
    .flatMap((title) => (title[2] ?? '').match(ID) ?? []),
);

describe('promises and tests', () => {
  it('every claimed promise is cited by a test', () => {
    expect(claimedIds().filter((id) => !cited.has(id))).toEqual([]);
  });

  it('every id that a test cites is a known promise', () => {
    expect([...cited].filter((id) => !isKnown(id))).toEqual([]);
  });
});
