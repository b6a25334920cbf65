import { createHash } from 'node:crypto';

/** Names that every provider takes. */
const PLAIN = /^[\w-]{1,64}$/;

/** Longest name of a tool that is looked at, as MCP has it. */
const LONGEST = 128;

/** Characters that nobody sees, or that change how others are seen; U+2800 is a blank that counts as a symbol. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/** Characters of a description that only hide something. Line ends and tabs stay. */
const HIDING = /[^\P{C}\n\t]|[\p{Default_Ignorable_Code_Point}]/gu;

/** Longest description that a model is shown, in characters. */
const DESCRIPTION = 4_000;

/** True for a name that a person can read whole: nothing in it is invisible, and no space stands at its ends. */
export function isReadable(name: string): boolean {
  return name !== '' && name.length <= LONGEST && name === name.trim() && !UNSEEN.test(name);
}

/**
 * The name by which a model knows a tool: its own where every provider takes it, else an alias of its letters and its hash,
 * the same at any time and on any node. The way back is the catalogue's.
 */
export function providerName(name: string): string {
  if (PLAIN.test(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `${name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 51)}_${hash}`;
}

/** A description as a model is shown it: bounded, without hidden characters. */
export function shownDescription(text: string): string {
  const clean = text.slice(0, DESCRIPTION * 2).replace(HIDING, '');
  if (text.length <= DESCRIPTION) return clean;
  return `${clean.slice(0, DESCRIPTION).replace(/[\uD800-\uDBFF]$/, '')} [cut off]`;
}

/** A name of others for the operator: what cannot be seen is written out, and the length is bounded. */
export function escaped(name: string): string {
  return name
    .slice(0, LONGEST)
    .replace(new RegExp(UNSEEN, 'gu'), (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
}
