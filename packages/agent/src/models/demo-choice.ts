/** A tool as the demo model looks at it. */
export interface DemoTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

interface Argument {
  readonly name: string;
  readonly required: boolean;
}

/** The tool that shares most words with the question, its main argument filled; nothing when none shares any. */
export function chooseCall(
  question: string,
  tools: readonly DemoTool[],
): { name: string; args: Record<string, string> } | undefined {
  const words = wordsOf(question);
  let best: { tool: DemoTool; score: number } | undefined;
  for (const tool of tools) {
    const score = scoreOf(words, tool);
    if (score > (best?.score ?? 0)) best = { tool, score };
  }
  if (!best) return undefined;
  const main = mainArgument(words, textArguments(best.tool));
  return { name: best.tool.name, args: main ? { [main.name]: valueIn(question) } : {} };
}

/** Words of the name count three times: a description also speaks of other things. */
const NAME_WEIGHT = 3;

function scoreOf(words: ReadonlySet<string>, tool: DemoTool): number {
  const named = wordsOf(tool.name);
  const told = wordsOf([tool.description, ...textArguments(tool).map(({ name }) => name)].join(' '));
  let score = 0;
  for (const word of words) score += named.has(word) ? NAME_WEIGHT : told.has(word) ? 1 : 0;
  return score;
}

/** The argument that the question names, else the first required one, else the first. */
function mainArgument(words: ReadonlySet<string>, given: readonly Argument[]): Argument | undefined {
  return (
    given.find(({ name }) => words.has(stem(name))) ?? given.find(({ required }) => required) ?? given[0]
  );
}

/** Arguments that hold what another answer gave: words of a person never fit. */
const OPAQUE = /cursor|token|key$|id$/i;

/** Arguments that take free text, in the schema's order. */
function textArguments({ inputSchema }: DemoTool): Argument[] {
  const { properties = {}, required = [] } = inputSchema as {
    properties?: Record<string, unknown>;
    required?: readonly string[];
  };
  return Object.entries(properties)
    .filter(([name, schema]) => takesText(schema) && !OPAQUE.test(name))
    .map(([name]) => ({ name, required: required.includes(name) }));
}

function takesText(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null || 'enum' in schema || 'const' in schema) return false;
  const { type, anyOf, oneOf } = schema as { type?: unknown; anyOf?: unknown[]; oneOf?: unknown[] };
  return type === 'string' || [...(anyOf ?? []), ...(oneOf ?? [])].some(takesText);
}

/** Quoted text, else the longest run of capitalised words after the first word, else the whole question. */
export function valueIn(question: string): string {
  const quoted = /"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»/.exec(question);
  const inner = quoted?.slice(1).find((group) => group !== undefined);
  if (inner) return inner.trim();
  const rest = question.trim().replace(/^\S+/, '');
  const runs = rest.match(/\p{Lu}[\p{L}\p{N}'’-]*(?:\s+\p{Lu}[\p{L}\p{N}'’-]*)*/gu) ?? [];
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '') || question.trim();
}

const SILENT = new Set(
  'a an and are as at be by can could do does for from has have how i in is it me my of on or our please that the there these this to us was were what when where which who will with would you your'.split(
    ' ',
  ),
);

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !SILENT.has(word)).map(stem));
}

/** Singular and plural are one word. */
function stem(word: string): string {
  return word.length > 3 ? word.toLowerCase().replace(/s$/, '') : word.toLowerCase();
}
