import { REPLY_MARK } from './marks.ts';

/** Words of others as the database keeps them: never empty, at most so many characters, without U+0000 and lone surrogates. */
export function wordsOf(text: string | undefined, most: number): string | null {
  const kept = (text ?? '')
    .trim()
    .slice(0, most)
    .replaceAll(/[\0\p{Surrogate}]/gu, '\u{fffd}');
  return kept === '' ? null : kept;
}

/**
 * Replies and refusals quote the letter, and in it the link by which its addressee answers: nobody who reads them is to have what it opens.
 * Mail servers on the way rewrite links in ways of their own, which leave the secret a word that is longer than those of people.
 */
export function withoutLinks(text: string): string {
  return text
    .replaceAll(/(\/|%2F)(s|mail(?:\/|%2F)unsubscribe)\1[\w-]{20,}/gi, '$1$2$1…')
    .replaceAll(new RegExp(`\\+[0-9a-f]{${REPLY_MARK}}@`, 'gi'), '+…@')
    .replaceAll(/(?<![\w-])[\w-]{43,200}(?![\w-])/g, '…');
}
