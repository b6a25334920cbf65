/**
 * JSON as the database takes it. U+0000 and halves of letters, which a model or a tool may write and no text of a person has, give
 * way to U+FFFD.
 */
export function storable(value: unknown): string {
  const text = JSON.stringify(value);
  // Only a text that writes such a character at all is looked through for it.
  return /\\u(?:0000|d[89a-f])/.test(text) ? JSON.stringify(value, cleaned) : text;
}

function cleaned(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [clean(name), one as unknown]));
}

function clean(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, '\ufffd');
}
