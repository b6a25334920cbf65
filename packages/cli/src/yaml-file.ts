import { isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { z } from 'zod';
import { inOrder, locator, schemaFaults, type Fault, type Locator } from './faults.ts';
import { expandVariables, type Expansion } from './variables.ts';

/** What came of reading a file: its contents, or everything that is wrong with it. */
export type Reading<T> = { readonly configuration: T } | { readonly faults: readonly [Fault, ...Fault[]] };

/** What a file is judged by. */
export interface Rules<S extends z.ZodType> {
  readonly schema: S;
  readonly expansion: Expansion;
  /** Faults beyond the schema: names that must have something behind them. */
  readonly links?: (configuration: z.output<S>, locate: Locator) => readonly Fault[];
}

/** The size that a file may have, in characters. */
const MAX_LENGTH = 1024 * 1024;

/** Reads the text of a YAML file. Reports every fault at once, in the order of the file. Loads and starts nothing. */
export function readYaml<S extends z.ZodType>(text: string, rules: Rules<S>): Reading<z.output<S>> {
  const lines = new LineCounter();
  const document = parseDocument(text.slice(0, MAX_LENGTH + 1), { lineCounter: lines, prettyErrors: false });
  const locate = locator(document, lines);
  if (text.length > MAX_LENGTH) return { faults: [locate.offset(0, 'The file is larger than 1 MiB.')] };

  const syntax = [...document.errors, ...document.warnings];
  const faults = syntax.map(({ pos, message }) => locate.offset(pos[0], `${message}.`));
  // A key that stands twice leaves a tree that can still be judged; other syntax errors do not.
  if (syntax.some(({ code }) => code !== 'DUPLICATE_KEY')) return failed(faults);
  return judge(document, locate, faults, rules);
}

function judge<S extends z.ZodType>(
  document: Document,
  locate: Locator,
  syntax: readonly Fault[],
  { schema, expansion, links = () => [] }: Rules<S>,
): Reading<z.output<S>> {
  const plain = treeOf(document, locate);
  if ('faults' in plain) return failed(plain.faults);
  const expanded = expandVariables(plain.tree, expansion, locate);
  const parsed = schema.safeParse(expanded.tree);
  const faults = [...syntax, ...vanishingKeys(document, locate), ...expanded.faults];
  if (!parsed.success) return failed([...faults, ...schemaFaults(parsed.error, locate)]);
  faults.push(...links(parsed.data, locate));
  return faults.length > 0 ? failed(faults) : { configuration: parsed.data };
}

/** Keys that would set the prototype of an object, and so stand in no configuration that a schema judges. */
function vanishingKeys(document: Document, locate: Locator): Fault[] {
  const faults: Fault[] = [];
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key) && key.value === '__proto__')
        faults.push(locate.offset(key.range?.[0] ?? 0, 'The key __proto__ is not allowed.'));
    },
  });
  return faults;
}

/** The document as plain values. An alias that is unknown, or a bomb of them, is a fault like any other. */
function treeOf(document: Document, locate: Locator): { tree: unknown } | { faults: Fault[] } {
  try {
    return { tree: document.contents === null ? {} : document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    return { faults: [locate.offset(0, `${(error as Error).message}.`)] };
  }
}

function failed(faults: readonly Fault[]): { readonly faults: readonly [Fault, ...Fault[]] } {
  const [first, ...rest] = inOrder(faults);
  if (!first) throw new Error('A failed reading needs a fault.');
  return { faults: [first, ...rest] };
}
