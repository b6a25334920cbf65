import type { ClientTool } from '@sveda-ai/protocol';
import type { FoundTool } from './found.ts';

/** The tools of the page. Their calls wait for the page; nothing runs here. */
export function pageTools(tools: readonly ClientTool[]): FoundTool[] {
  return tools.map(({ name, description, parameters, confirmation }) => ({
    origin: 'frontend',
    name,
    description,
    inputSchema: parameters,
    confirmation: confirmation === 'required',
    definition: { description, parameters },
  }));
}
