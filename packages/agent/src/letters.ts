/** U+0000 and halves of letters, which no database and no provider takes back. */
const UNKEEPABLE = /[\0\p{Cs}]/gu;

/** Text as it can be kept: what is no letter gives way to U+FFFD. */
export function keepable(text: string): string {
  return text.replaceAll(UNKEEPABLE, '\ufffd');
}

/**
 * Puts together the letters of a text that comes in pieces. Some servers cut at UTF-16 units: a first half waits for the second, and
 * one that stays alone is lost.
 */
export function wholeLetters(): (piece: string) => string {
  let half = '';
  return (piece) => {
    const text = half + piece;
    half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? '';
    return keepable(text.slice(0, text.length - half.length));
  };
}

/** True for a JSON text whose strings and names can all be kept. */
export function isKeepable(json: string): boolean {
  // Looked for one by one, since every text that is kept comes by here: a pattern would take hundreds of times as long.
  if (['\\u0000', '\\ud', '\\uD', '\0'].some((sign) => json.includes(sign))) return false;
  return (json as WellFormed).isWellFormed();
}

/** Node 20 has it; the library of ES2023, which we compile against, does not. */
type WellFormed = string & { isWellFormed(): boolean };

/** A JSON text as a value whose strings and names can be kept. Throws like JSON.parse. */
export function parseKeepable(json: string): unknown {
  return isKeepable(json) ? JSON.parse(json) : JSON.parse(json, cleaned);
}

function cleaned(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return keepable(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [keepable(name), one as unknown]));
}
