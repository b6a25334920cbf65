import type { OfferedTool, ToolSource } from '@portolan/agent';
import type { ClientTool } from '@sveda-ai/protocol';
import { allowsClient, type Documents } from './policy.ts';

/** The tools of the page, as far as the policy lets it offer them. Their calls wait for the page; nothing runs here. */
export function pageTools(tools: readonly ClientTool[], documents: Documents): ToolSource {
  const offered = tools.filter(({ name }) => allowsClient(documents, name)).map(offer);
  return {
    list: () => Promise.resolve(offered),
    call: (name) => Promise.reject(new Error(`${name} runs in the page`)),
  };
}

function offer({ name, description, parameters, confirmation }: ClientTool): OfferedTool {
  return { name, description, inputSchema: parameters, runs: 'page', ...(confirmation && { confirmation }) };
}
