import { explain, type Tool } from '@portolan/mcp/tool';
import { budget, type Sizes } from '../mcp/sizes.ts';
import type { Deps } from '../mcp/vocabulary.ts';
import { code, pageOf, table } from './markdown.ts';

/** The page of the tools: what each says, takes and costs. */
export function toolsPage(tools: readonly Tool<Deps>[], sizes: Sizes): string {
  return pageOf([
    '# Mervare: tools',
    `A tool may cost ${budget.callTokens} tokens for its name, description and input, and ${budget.tokens} as a whole.`,
    table(
      ['Tool', 'Opens to', 'Effect', 'Bytes', 'Tokens', 'Name, description, input'],
      tools.map(({ name, access, effect }) => {
        const { bytes = 0, tokens = 0, callTokens = 0 } = sizes[name] ?? {};
        return [code(name), explain(access), effect, bytes, tokens, callTokens];
      }),
    ),
    ...tools.flatMap(toolBlocks),
  ]);
}

function toolBlocks({ name, descriptor, example }: Tool<Deps>): string[] {
  const { title = '', description = '', inputSchema } = descriptor;
  const properties = Object.entries(
    (inputSchema['properties'] ?? {}) as Record<string, { description?: string }>,
  );
  const required = new Set((inputSchema['required'] ?? []) as string[]);
  return [
    `## ${name}`,
    `${title}. ${description}`,
    ...(properties.length === 0
      ? []
      : [
          table(
            ['Argument', 'Needed', 'Meaning'],
            properties.map(([argument, schema]) => [
              code(argument),
              required.has(argument) ? 'yes' : 'no',
              schema.description ?? '',
            ]),
          ),
        ]),
    `Example: ${code(JSON.stringify(example))}`,
  ];
}
