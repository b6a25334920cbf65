/** Words of others as the database keeps them: never empty, at most so many characters, without U+0000 and lone surrogates. */
export function wordsOf(text: string | undefined, most: number): string | null {
  const kept = (text ?? '')
    .trim()
    .slice(0, most)
    .replaceAll(/[\0\p{Surrogate}]/gu, '\u{fffd}');
  return kept === '' ? null : kept;
}
