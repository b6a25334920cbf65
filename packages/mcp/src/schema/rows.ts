import type { ErrorObject } from 'ajv';

/** Limits of what is told about a value that does not fit. */
export const ROW_LIMITS = { rows: 8, characters: 120, listed: 8 } as const;

/**
 * What does not fit, a bounded line each: where, and what the schema wants there. Lines never show the value: neither
 * its texts nor the names in it that the schema does not know.
 */
export function toRows(errors: readonly ErrorObject[], names: ReadonlySet<string>): readonly string[] {
  return errors
    .slice(0, ROW_LIMITS.rows)
    .map((error) => clip(`${place(error.instancePath, names)} ${wish(error)}`));
}

/** Cuts a line to its limit, never through a character, and takes control characters out. */
export function clip(line: string): string {
  const clean = line.replaceAll(/\p{Cc}+/gu, ' ');
  if (clean.length <= ROW_LIMITS.characters) return clean;
  return `${clean.slice(0, ROW_LIMITS.characters - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function place(pointer: string, names: ReadonlySet<string>): string {
  if (pointer === '') return 'the value';
  const shown = pointer.split('/').map((part) => {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    return /^\d{0,9}$/.test(name) || names.has(name) ? part : '*';
  });
  return shown.join('/');
}

function wish({ keyword, message, params }: ErrorObject): string {
  const allowed: unknown = keyword === 'enum' ? params.allowedValues : undefined;
  if (!Array.isArray(allowed)) return message ?? `does not fit "${keyword}"`;
  const listed = allowed.slice(0, ROW_LIMITS.listed).map((value) => JSON.stringify(value));
  return `must be one of ${listed.join(', ')}${allowed.length > listed.length ? ', …' : ''}`;
}
