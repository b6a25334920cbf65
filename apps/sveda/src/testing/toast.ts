import type { ClientTool } from '@sveda-ai/protocol';

/** A tool of the page that waits for nobody but the page. */
export const toast: ClientTool = {
  name: 'toast',
  description: 'Shows.',
  parameters: { type: 'object' },
};
