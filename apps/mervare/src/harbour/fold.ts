/** Letters that Unicode does not take apart into a base letter and a mark. */
const plain: Readonly<Record<string, string>> = {
  æ: 'ae', œ: 'oe', ø: 'o', ß: 'ss', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i',
}; // prettier-ignore

/**
 * A text as searches compare it: lower case, without marks and punctuation, words apart by one space.
 * `Göteborg` and `GOTEBORG` fold alike. The result holds letters, digits and spaces only.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[æœøßłđðþı]/g, (letter) => plain[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The other names that a compound one holds: `Helsingfors (Helsinki)` is also Helsingfors and Helsinki. */
export function namesWithin(name: string): string[] {
  const [main = '', bracketed] = name.split(/[()]/);
  const parts = [main.split(',')[0] ?? '', ...main.split('/'), bracketed?.replace(/^ex /, '') ?? ''];
  return parts.map(fold).filter((part) => part !== '' && part !== fold(name));
}
