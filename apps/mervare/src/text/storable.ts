/** True for text that the database can keep: no U+0000, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

/** What is wrong with any other, after the name of the field. */
export const NOT_STORABLE = 'must be text without U+0000 or lone surrogates';
