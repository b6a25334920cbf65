import { z } from 'zod';
import { nouns, verbs } from './verbs.ts';

/** A tool as every variant gets it: zod schemas for those that want them, a descriptor for the others. */
export interface BenchTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: 'reads' | 'writes' | 'destroys';
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly example: Readonly<Record<string, unknown>>;
  /** The structured output for validated input. */
  answer(input: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
}

/** The tool that is called: it does nothing, so that only the serving costs. */
export const echo: BenchTool = {
  name: 'echo',
  title: 'Echo',
  description: 'Answers the message that it was given.',
  effect: 'reads',
  input: z.object({ message: z.string().max(1000) }),
  output: z.object({ message: z.string() }),
  example: { message: 'Ahoy' },
  answer: ({ message }) => Promise.resolve({ message }),
};

/** How many tools the full catalogue lists: as many as the largest server of this house. */
export const fullSize = 104;

/** `echo` first, then as many synthetic tools as are missing to `size` (at most 104). */
export function catalogue(size: number): readonly BenchTool[] {
  const synthetic = nouns.flatMap((noun) => verbs.map((verb) => listedOnly(noun, verb)));
  return [echo, ...synthetic.slice(0, size - 1)];
}

function listedOnly(noun: string, verb: (typeof verbs)[number]): BenchTool {
  const name = `${noun}_${verb.name}`;
  return {
    name,
    title: `${verb.title} ${noun}`,
    description: verb.says(noun),
    effect: verb.effect,
    input: verb.input(noun),
    output: verb.output(noun),
    example: verb.example,
    answer: () => Promise.reject(new Error(`${name} is listed, never called`)),
  };
}

/** The tool as tools/list shows it (MCP `Tool`), for the variants that serve plain JSON Schema. */
export function descriptor(tool: BenchTool) {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: jsonSchema(tool.input, 'input'),
    outputSchema: jsonSchema(tool.output, 'output'),
    annotations: annotations(tool),
  };
}

/** Without `$schema`, as 2020-12 is what MCP reads anyway. */
function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): { type: 'object' } {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io });
  return { ...plain, type: 'object' };
}

/** The MCP annotations that follow from the effect. */
export function annotations({ effect }: BenchTool) {
  return {
    readOnlyHint: effect === 'reads',
    destructiveHint: effect === 'destroys',
    idempotentHint: effect === 'reads',
    openWorldHint: false,
  };
}

/** The result of a call (MCP `CallToolResult`) in the one form that all variants answer. */
export async function callResult(tool: BenchTool, input: unknown) {
  const output = await tool.answer(input as Record<string, unknown>);
  return { content: [{ type: 'text' as const, text: JSON.stringify(output) }], structuredContent: output };
}

/** Finds the tool, checks its input and calls it: for the servers that leave this to their handler. */
export async function callChecked(tools: readonly BenchTool[], name: string, input: unknown) {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error('no such tool');
  return callResult(tool, tool.input.parse(input));
}

/** The arguments of `registerTool`, which both SDKs take alike. */
export function registration(tool: BenchTool) {
  const { name, title, description, input: inputSchema, output: outputSchema } = tool;
  const definition = { title, description, annotations: annotations(tool), inputSchema, outputSchema };
  return [name, definition, (input: unknown) => callResult(tool, input)] as const;
}
