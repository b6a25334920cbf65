import { LineCounter, parseDocument, type Document } from 'yaml';
import { inOrder, locator, schemaFaults, type Fault, type Locator } from './faults.ts';
import { linkFaults } from './links.ts';
import { Configuration } from './schema.ts';
import { expandVariables, type Environment } from './variables.ts';

/** What came of reading saivage.yaml: the configuration, or everything that is wrong with it. */
export type Reading =
  { readonly configuration: Configuration } | { readonly faults: readonly [Fault, ...Fault[]] };

/** What the configuration is judged against, besides its own shape. */
export interface Surroundings {
  readonly environment: Environment;
  /** Every operation that this program has. */
  readonly operations: readonly string[];
  /** What the Analyst is granted where the file does not say. */
  readonly defaultGrants: readonly string[];
}

/** The size that saivage.yaml may have, in characters. */
const MAX_LENGTH = 1024 * 1024;

/** Reads the text of saivage.yaml. Reports every fault at once, in the order of the file. Loads and starts nothing. */
export function readConfiguration(text: string, surroundings: Surroundings): Reading {
  const lines = new LineCounter();
  const document = parseDocument(text.slice(0, MAX_LENGTH + 1), { lineCounter: lines, prettyErrors: false });
  const locate = locator(document, lines);
  if (text.length > MAX_LENGTH) return { faults: [locate.offset(0, 'The file is larger than 1 MiB.')] };

  const syntax = [...document.errors, ...document.warnings];
  const faults = syntax.map(({ pos, message }) => locate.offset(pos[0], `${message}.`));
  // A key that stands twice leaves a tree that can still be judged; other syntax errors do not.
  if (syntax.some(({ code }) => code !== 'DUPLICATE_KEY')) return failed(faults);
  return judge(document, locate, faults, surroundings);
}

function judge(document: Document, locate: Locator, syntax: readonly Fault[], around: Surroundings): Reading {
  const plain = treeOf(document, locate);
  if ('faults' in plain) return failed(plain.faults);
  const expanded = expandVariables(plain.tree, around.environment, locate);
  const parsed = Configuration.safeParse(expanded.tree);
  const faults = [...syntax, ...expanded.faults];
  if (!parsed.success) return failed([...faults, ...schemaFaults(parsed.error, locate)]);
  const configuration = withDefaults(parsed.data, around.defaultGrants);
  faults.push(...linkFaults(configuration, around.operations, locate));
  return faults.length > 0 ? failed(faults) : { configuration };
}

/** The document as plain values. An alias that is unknown, or a bomb of them, is a fault like any other. */
function treeOf(document: Document, locate: Locator): { tree: unknown } | { faults: Fault[] } {
  try {
    return { tree: document.contents === null ? {} : document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    return { faults: [locate.offset(0, `${(error as Error).message}.`)] };
  }
}

/** The Analyst exists without being written down; written down, it is what the file says. */
function withDefaults(configuration: Configuration, grants: readonly string[]): Configuration {
  const analyst = { tools: [...grants] };
  return { ...configuration, agents: { analyst, ...configuration.agents } };
}

function failed(faults: readonly Fault[]): Reading {
  const [first, ...rest] = inOrder(faults);
  if (!first) throw new Error('A failed reading needs a fault.');
  return { faults: [first, ...rest] };
}
