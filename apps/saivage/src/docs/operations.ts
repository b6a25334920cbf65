import type { Operation } from '../operations/operation.ts';
import { generated, json } from './markdown.ts';

/** The page of the operations, from the operations themselves. */
export function operationsPage(operations: readonly Operation[]): string {
  return generated([
    '# Saivage: operations',
    'Results have one shape: `{success: true, data}` or `{success: false, error: {code, message, details?}}`. What a tool of an ' +
      'MCP server answered rides beside it, in `content`. Each operation is a grant by itself, for agents and for the external ' +
      'Analyst alike.',
    ...operations.flatMap(({ name, effect, example, descriptor }) => [
      `## ${name}`,
      `${descriptor.title}. ${descriptor.description} It ${effect}.`,
      'Arguments:',
      json(descriptor.inputSchema),
      'For example:',
      json(example),
      'Result:',
      json(descriptor.outputSchema),
    ]),
  ]);
}
