import { Refusal } from '@portolan/mcp/tool';

/** What is wrong with something that somebody wrote, and where: a JSON pointer (RFC 6901). */
export interface Fault {
  readonly pointer: string;
  readonly message: string;
}

/** The fault, where there is one. */
export function when(wrong: boolean, pointer: string, message: string): Fault[] {
  return wrong ? [{ pointer, message }] : [];
}

/** A fault for each that was there before. */
export function repeated(values: readonly string[], pointerAt: (n: number) => string): Fault[] {
  return values.flatMap((value, n) => when(values.indexOf(value) < n, pointerAt(n), 'stands twice'));
}

/** Short names that other texts refer to. */
export function isName(id: string): boolean {
  return /^[a-z][a-z0-9_]{0,59}$/.test(id);
}

/** What is wrong with any other. */
export const NO_NAME = 'is not of lower-case letters, digits and _, a letter first';

/** True for a language tag (BCP 47). */
export function isLanguage(tag: string): boolean {
  try {
    return new Intl.Locale(tag).language !== '';
  } catch {
    return false;
  }
}

/** What is wrong with any other. */
export const NO_LANGUAGE = 'is no language tag such as et or en-GB';

/** Faults that one refusal tells; of more it says how many. */
const MOST_TOLD = 500;

/** Throws a Refusal that names the faults, where there is one. */
export function requireNone(faults: readonly Fault[], what: string): void {
  if (faults.length === 0) return;
  const told = faults.slice(0, MOST_TOLD);
  const more = faults.length - told.length;
  const lines = [
    what,
    ...told.map(({ pointer, message }) => `${pointer} ${message}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
  throw new Refusal('invalid_input', lines.join('\n  '), { faults: told, ...(more > 0 && { more }) });
}
