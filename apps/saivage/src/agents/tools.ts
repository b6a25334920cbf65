import type { CallContext, OfferedTool, ToolSource } from '@portolan/agent';
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
    async call(name, input, { signal, progress }) {
      const operation = byName.get(name);
      if (!operation) throw new Refusal('forbidden', `The agent "${agent}" has no operation "${name}".`);
      const told = telling(deps, progress);
      return operation.run(input, { deps: told, caller, signal }).catch((error: unknown) => {
        if (!(error instanceof ServerError)) throw error;
        observe(error, `tool ${name}`);
        throw new Refusal('unavailable', inWords(error));
      });
    },
  };
}

/** The same, where calls of MCP servers tell how far they are. */
function telling(deps: OperationDeps, onProgress: CallContext['progress']): OperationDeps {
  const { connections } = deps;
  const call: typeof connections.call = (wanted, options) =>
    connections.call(wanted, { ...options, onProgress });
  return { ...deps, connections: { ...connections, call } };
}

function offered({ name, descriptor }: Operation): OfferedTool {
  const { description = '', inputSchema } = descriptor;
  return { name, description, inputSchema };
}
