import { isName } from './fault.ts';

/** Stands in every letter: where the addressee's own link comes. */
export const LINK = 'link';

/** What every context knows, beside its facts. */
export const KNOWN = ['person', 'harbour'] as const;

/** Names that no fact and no declaration may take. */
export const RESERVED: readonly string[] = [LINK, ...KNOWN];

/** Anything between double braces. */
const SLOT = /\{\{([^{}]*)\}\}/g;

/** The names of the placeholders in a text, each once. What is no name stands in no placeholder. */
export function placeholdersIn(text: string): string[] {
  const names = [...text.matchAll(SLOT)].map(([, name = '']) => name);
  return [...new Set(names)].filter(isName);
}

/** True where double braces do not hold a name. */
export function isBroken(text: string): boolean {
  return hasBraces(text.replace(SLOT, (slot, name: string) => (isName(name) ? '' : slot)));
}

/** True for text that might be taken for a placeholder, or for half of one. */
export function hasBraces(text: string): boolean {
  return text.includes('{{') || text.includes('}}');
}

/** The text with its placeholders filled, in one pass: what a value says is never read as a placeholder. */
export function fill(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(SLOT, (slot, name: string) => values.get(name) ?? slot);
}

/** True for text with a control character, a line break among them, or one that turns the direction of what follows. */
export function isUnprintable(text: string): boolean {
  return /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(text);
}

/** What is wrong with such text. */
export const UNPRINTABLE = 'has a line break, a control character or a change of direction';
