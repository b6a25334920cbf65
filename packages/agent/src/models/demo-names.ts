import { firstJson } from './result-reference.ts';

const MOST = 5;

/** At most five names out of a result: of the first list in it whose members have names, else its own name. */
export function firstNames(result: string): string[] {
  const value = firstJson(result);
  const names = namesOfList(value) ?? [nameOf(value)];
  return names.filter((name) => name !== undefined).slice(0, MOST);
}

function namesOfList(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    const names = value.map(nameOf).filter((name) => name !== undefined);
    if (names.length > 0) return names;
  }
  for (const inner of Object.values(value)) {
    const names = namesOfList(inner);
    if (names) return names;
  }
  return undefined;
}

function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { name, title, label } = value as Record<string, unknown>;
  return [name, title, label].map(plain).find((text) => text !== undefined);
}

/** Text, or text that was marked as written by others. */
function plain(value: unknown): string | undefined {
  const text = typeof value === 'object' && value !== null && 'untrusted' in value ? value.untrusted : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}
