import { toolsOf } from '../mcp/registry.ts';
import type { Server } from '../mcp/servers.ts';
import { measure } from '../mcp/sizes.ts';
import { configurationPage } from './configuration.ts';
import { serversPage } from './servers.ts';
import { snapshot } from './snapshot.ts';
import { toolsPage } from './tools.ts';

/** Every generated file: its path in the repository, and its text. */
export function documents(
  servers: readonly Server[],
  countTokens: (text: string) => number,
): [path: string, text: string][] {
  const tools = [...new Set(servers.flatMap(toolsOf))];
  const sizes = measure(tools, countTokens);
  return [
    ['docs/generated/mervare/servers.md', serversPage(servers, sizes)],
    ['docs/generated/mervare/tools.md', toolsPage(tools, sizes)],
    ['docs/generated/mervare/configuration.md', configurationPage()],
    ['apps/mervare/__surface__/sizes.json', json(sizes)],
    ...tools.map((tool): [string, string] => [
      `apps/mervare/__surface__/${tool.name}.json`,
      json(snapshot(tool)),
    ]),
  ];
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
