import type { OfferedTool, ToolSource } from '@portolan/agent';
import { Refusal, type Caller } from '@portolan/mcp/tool';
import type { Operation, OperationDeps } from '../operations/operation.ts';

/**
 * The granted operations as tools of a model. What is not granted is neither listed nor run, and answers like what does
 * not exist.
 */
export function agentTools(agent: string, granted: readonly Operation[], deps: OperationDeps): ToolSource {
  const byName = new Map(granted.map((operation) => [operation.name, operation]));
  const caller: Caller = { kind: 'agent', name: agent, audience: '', scopes: [], grants: [] };
  return {
    list: async () => granted.map(offered),
    async call(name, input, { signal }) {
      const operation = byName.get(name);
      if (!operation) throw new Refusal('forbidden', `The agent "${agent}" has no operation "${name}".`);
      return operation.run(input, { deps, caller, signal });
    },
  };
}

function offered({ name, descriptor }: Operation): OfferedTool {
  const { description = '', inputSchema } = descriptor;
  return { name, description, inputSchema };
}
