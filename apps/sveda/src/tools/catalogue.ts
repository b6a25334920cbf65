import type { OfferedTool } from '@portolan/agent';
import { sourceOf, type FoundTool } from './found.ts';
import { recollect, type Memory, type Remembered } from './memory.ts';
import { escaped, isReadable, providerName, shownDescription } from './names.ts';
import { asksFor, ruleAgainst, type Documents, type Governed } from './policy.ts';

/** A tool that is offered, under the one name that it has in this turn. */
export interface Entry {
  readonly tool: FoundTool;
  readonly governed: Governed;
  /** What the loop is given: the name that providers take, and what must be confirmed. */
  readonly offered: OfferedTool;
  /** Another tool had this name in this chat before. */
  readonly isAnother: boolean;
}

/** A tool that is left out. */
export interface LeftOut {
  readonly name: string;
  readonly source: string;
  readonly rule: string;
}

/** The one place that owns names, policy, confirmation and dispatch of a turn. */
export interface Catalogue {
  /** By the name that the model knows. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly refused: readonly LeftOut[];
  /** Names of tools whose definition the chat knew otherwise. */
  readonly changed: readonly string[];
  /** What the chat remembers from now on. */
  readonly memory: Memory;
}

/** Tools in one turn: providers take no more. */
const MOST_TOOLS = 128;

/** Characters of all definitions together: what is said to the model at every step. */
const MOST_CHARACTERS = 400_000;

/** Judges what was found, earlier origins first: name, then policy, then how much there is, then whether it must be asked for. */
export function catalogueOf(found: readonly FoundTool[], documents: Documents, known: Memory): Catalogue {
  const entries = new Map<string, Entry>();
  const refused: LeftOut[] = [];
  const changed: string[] = [];
  const memory = new Map(known);
  let characters = 0;
  for (const { tool, name, alias, fault } of named(found)) {
    const governed = { ...tool, name, ownName: tool.name };
    const rule =
      fault ??
      ruleAgainst(documents, governed) ??
      (entries.size >= MOST_TOOLS ? 'too_many_tools' : undefined);
    const description = shownDescription(tool.description);
    const size = description.length + JSON.stringify(tool.inputSchema).length;
    if (rule !== undefined || characters + size > MOST_CHARACTERS) {
      refused.push({
        name: escaped(tool.name),
        source: sourceOf(tool),
        rule: rule ?? 'definitions_too_large',
      });
      continue;
    }
    characters += size;
    const { asks, isAnother, hasChanged } = remembered(memory, alias, tool);
    if (hasChanged) changed.push(name);
    const offered = offer(tool, { name, alias, description, asks: asks || asksFor(documents, governed) });
    entries.set(alias, { tool, governed, offered, isAnother });
  }
  return { entries, refused, changed, memory };
}

/** Our own tools are known: only those of others are remembered. */
function remembered(memory: Map<string, Remembered>, alias: string, tool: FoundTool) {
  if (tool.origin === 'builtin')
    return { asks: tool.confirmation, isAnother: memory.has(alias), hasChanged: false };
  const { confirmation, definition } = tool;
  return recollect(memory, alias, { from: sourceOf(tool), confirmation, definition });
}

function offer(
  { inputSchema, run }: FoundTool,
  { name, alias, description, asks }: { name: string; alias: string; description: string; asks: boolean },
): OfferedTool {
  return {
    name: alias,
    ...(alias !== name && { shownAs: name }),
    description,
    inputSchema,
    ...(!run && { runs: 'page' as const }),
    ...(asks && { confirmation: 'required' as const }),
  };
}

interface Named {
  readonly tool: FoundTool;
  readonly name: string;
  readonly alias: string;
  /** Why it gets no name of its own. */
  readonly fault?: string;
}

/** Gives names in the order of coming. A name is taken whether or not the policy lets its tool through. */
function named(found: readonly FoundTool[]): Named[] {
  const taken = new Map<string, FoundTool>();
  return found.map((tool) => {
    if (!isReadable(tool.name)) return { tool, name: tool.name, alias: '', fault: 'name_unreadable' };
    for (const name of namesFor(tool)) {
      const alias = providerName(name);
      if (taken.has(alias)) continue;
      taken.set(alias, tool);
      return { tool, name, alias };
    }
    const holder = taken.get(providerName(tool.name));
    return { tool, name: tool.name, alias: '', fault: `name_taken: ${holder ? sourceOf(holder) : ''}` };
  });
}

/** A runtime server's tool makes way under `server__tool`. */
function namesFor({ origin, server, name }: FoundTool): string[] {
  return origin === 'runtime' ? [name, `${server ?? ''}__${name}`] : [name];
}
