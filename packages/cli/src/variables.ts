import type { Fault, Locator, Path } from './faults.ts';

/** Environment variables, as the process was given them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a file may name variables, and which ones it may not. */
export interface Expansion {
  readonly environment: Environment;
  /** True for a value in which `${NAME}` stands for a variable. Elsewhere it is just text. */
  readonly at: (path: Path) => boolean;
  /** The program's own secrets. */
  readonly forbidden: readonly string[];
}

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Puts the environment's values in place of `${NAME}` where they may stand. The tree is left as it was. */
export function expandVariables(
  tree: unknown,
  { environment, at, forbidden }: Expansion,
  locate: Locator,
): { readonly tree: unknown; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const expand = (text: string, path: Path) =>
    text.replaceAll(REFERENCE, (written: string, name: string) => {
      const value = forbidden.includes(name) ? undefined : environment[name];
      if (value !== undefined) return value;
      const why = forbidden.includes(name) ? 'is a secret of this program' : 'is not set';
      faults.push(locate.value(path, `The environment variable ${name} ${why}.`));
      return written;
    });
  return { tree: mapStrings(tree, [], (text, path) => (at(path) ? expand(text, path) : text)), faults };
}

function mapStrings(node: unknown, path: Path, map: (text: string, path: Path) => string): unknown {
  if (typeof node === 'string') return map(node, path);
  if (Array.isArray(node)) return node.map((item, index) => mapStrings(item, [...path, index], map));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, mapStrings(value, [...path, key], map)]),
  );
}
