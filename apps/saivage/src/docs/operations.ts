import type { Operation } from '../operations/operation.ts';
import { generated, json } from './markdown.ts';

/** The page of the Analyst's operations, from the operations themselves. */
export function operationsPage(operations: readonly Operation[]): string {
  return generated([
    '# Saivage: operations',
    'Results have one shape: `{success: true, data}` or `{success: false, error: {code, message}}`.',
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
