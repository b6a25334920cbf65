/**
 * True where a parsed JSON value has a key __proto__ at any depth. Libraries drop it without a word, and what is used
 * then is something else than what was written: it is refused instead.
 */
export function hasHiddenKey(value: unknown): boolean {
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (Object.hasOwn(next, '__proto__')) return true;
    for (const inner of Object.values(next)) left.push(inner);
  }
  return false;
}

/** What is said of it. */
export const HIDDEN_KEY = 'The key __proto__ is not allowed.';
