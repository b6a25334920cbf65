import type { Resource } from '@portolan/mcp/serve';
import { cardTypes } from '../cards/types.ts';
import type { OperationDeps } from '../operations/operation.ts';

/** The one resource: what a client should know before it calls. It grants nothing and holds no conversation. */
export const analystContext: Resource<OperationDeps> = {
  uri: 'saivage://analyst/context',
  name: 'analyst-context',
  title: 'Context of the Analyst',
  description: 'Mode, runtime and card types of this project at the moment of reading.',
  mimeType: 'application/json',
  async read({ deps }) {
    const { analyst, runtime, observed_at } = deps.observe();
    return { text: JSON.stringify({ mode: analyst.mode, runtime, card_types: cardTypes, observed_at }) };
  },
};
