import type { OfferedTool, ToolSource } from '@portolan/agent';
import { Refusal, type Caller } from '@portolan/mcp/tool';
import { ServerError } from '../connections/errors.ts';
import { inWords } from '../operations/mcp/failure.ts';
import type { Operation, OperationDeps } from '../operations/operation.ts';

/**
 * The granted operations as tools of a model. What is not granted is neither listed nor run, and answers like what does
 * not exist. An error about an MCP server is told in words, since it holds nothing that an agent may not read; any other
 * is not.
 */
export function agentTools(
  agent: string,
  granted: readonly Operation[],
  deps: OperationDeps,
  observe: (error: unknown, where: string) => void,
): ToolSource {
  const byName = new Map(granted.map((operation) => [operation.name, operation]));
  const caller: Caller = { kind: 'agent', name: agent, audience: '', scopes: [], grants: [] };
  return {
    list: async () => granted.map(offered),
    async call(name, input, { signal }) {
      const operation = byName.get(name);
      if (!operation) throw new Refusal('forbidden', `The agent "${agent}" has no operation "${name}".`);
      return operation.run(input, { deps, caller, signal }).catch((error: unknown) => {
        if (!(error instanceof ServerError)) throw error;
        observe(error, `tool ${name}`);
        throw new Refusal('unavailable', inWords(error));
      });
    },
  };
}

function offered({ name, descriptor }: Operation): OfferedTool {
  const { description = '', inputSchema } = descriptor;
  return { name, description, inputSchema };
}
