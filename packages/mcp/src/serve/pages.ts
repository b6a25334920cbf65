import type { Codec, ListName } from './codec.ts';
import type { Identity } from './identity.ts';

export type Lists = Readonly<Record<ListName, readonly object[]>>;
export type Pages = (name: ListName, cursor: string | undefined, codec: Codec) => Buffer | undefined;

/** Serialises the pages of lists, each at its first use in an era. Cursors hold for one version of the lists. */
export function pages(identity: Identity, lists: Lists, version: string, pageSize = Infinity): Pages {
  const kept = new Map<string, Buffer>();
  const cursorAt = (start: number): string => Buffer.from(`${start}@${version}`).toString('base64url');

  function startOf(name: ListName, cursor: string): number | undefined {
    const start = Number.parseInt(Buffer.from(cursor, 'base64url').toString(), 10);
    const known = start > 0 && start < lists[name].length && start % pageSize === 0;
    return known && cursor === cursorAt(start) ? start : undefined;
  }

  return (name, cursor, codec) => {
    const start = cursor === undefined ? 0 : startOf(name, cursor);
    if (start === undefined) return undefined;
    const key = `${codec.era} ${name} ${start}`;
    const known = kept.get(key);
    if (known) return known;
    const end = start + pageSize;
    const next = end < lists[name].length ? cursorAt(end) : undefined;
    const page = Buffer.from(codec.list(identity, name, lists[name].slice(start, end), next));
    kept.set(key, page);
    return page;
  };
}
