import { allRevisions, serveMcp, surface, type Serve } from '@portolan/mcp/serve';
import { anyone, toolsFor, type Tool } from '@portolan/mcp/tool';
import type { BenchTool } from '../catalogue.ts';
import { serverInfo } from '../variant.ts';

/** Our serving path over these tools: every revision, every check, open to anyone. */
export function serveTools(tools: readonly BenchTool[]): Serve {
  const { name, version: release } = serverInfo;
  const offered = surface({ server: { name, release }, tools: tools.map(toolValue) });
  return serveMcp({
    surface: () => offered,
    deps: undefined,
    revisions: allRevisions,
    disconnect: 'detached',
    onError: (error) => console.error(error),
  });
}

function toolValue(tool: BenchTool): Tool {
  const { name, title, description: says, effect, input, output, example } = tool;
  const definition = { title, says, access: anyone, effect, input, output, example };
  return toolsFor<unknown>()(name, definition).run((parsed) => tool.answer(parsed));
}
