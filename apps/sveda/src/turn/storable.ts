/**
 * JSON as the database takes it. U+0000 and halves of letters, which a model or a tool may write and no text of a person has, give
 * way to U+FFFD.
 */
export function storable(value: unknown): string {
  const text = JSON.stringify(value);
  return isSuspect(text) ? JSON.stringify(value, cleaned) : text;
}

/** The same value, as it will be read again. */
export function asStored<T>(value: T): T {
  return isSuspect(JSON.stringify(value)) ? (JSON.parse(JSON.stringify(value, cleaned)) as T) : value;
}

/** Only a text that writes such a character at all is looked through for it. */
function isSuspect(json: string): boolean {
  return /\\u(?:0000|d[89a-f])/.test(json);
}

function cleaned(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [clean(name), one as unknown]));
}

function clean(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, '\ufffd');
}
