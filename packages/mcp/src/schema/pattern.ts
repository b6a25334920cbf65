import { RE2JS } from 're2js';

/** A compiled pattern of a foreign schema. */
export interface Pattern {
  test(text: string): boolean;
  /** By this Ajv tells patterns apart. */
  toString(): string;
}

/**
 * Compiles a pattern by RE2, which does not backtrack: its time grows with the text alone. What RE2 does not know
 * (lookaround, back references, long repeats) runs natively; `onNative` is told, because then the time needs watching.
 */
export function compilePattern(source: string, onNative: () => void): Pattern {
  const re2 = byRe2(source);
  if (!re2) onNative();
  const compiled = re2 ?? new RegExp(source, 'u');
  return { test: (text) => compiled.test(text), toString: () => source };
}

function byRe2(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch {
    return undefined;
  }
}
