import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServer, type TestServer } from '../testing/server.ts';

/** Arguments that each operation takes, and what it answers where no MCP server is defined. */
const calls: Readonly<Record<string, readonly [args: object, answer: string]>> = {
  mcp_server_register: [{ connection: { transport: 'stdio', command: 'x' } }, 'success'],
  mcp_server_replace: [
    { serverName: 'no', connection: { transport: 'stdio', command: 'x' } },
    'unknown_server',
  ],
  mcp_server_unregister: [{ serverName: 'no' }, 'unknown_server'],
  mcp_server_list: [{}, 'success'],
  mcp_server_control: [{ serverName: 'no', action: 'start' }, 'unknown_server'],
  mcp_tools: [{ serverName: 'no' }, 'unknown_server'],
  mcp_tool_call: [{ serverName: 'no', bindingId: 'b', catalogId: 'c', toolName: 't' }, 'unknown_server'],
  mcp_catalog_refresh: [{ serverName: 'no', bindingId: 'b' }, 'unknown_server'],
};
const operations = Object.keys(calls);

const useOfServers = ['mcp_server_control', 'mcp_tools', 'mcp_tool_call'];

/** What each agent of a project has that says nothing of agents, and one that the operator has added. */
const byDefault: Readonly<Record<string, readonly string[]>> = {
  analyst: useOfServers,
  planner: [],
  executor: useOfServers,
  reviewer: [],
  oversight: [],
  courier: ['mcp_server_list', 'mcp_catalog_refresh'],
};

/** One grant an agent, for each operation: no other one comes with it. */
const single = Object.fromEntries(operations.map((name) => [`only_${name}`, [name]]));

describe('grants of the operations on MCP servers', () => {
  let server: TestServer;
  beforeAll(async () => {
    const added = { courier: byDefault['courier'], ...single };
    const agents = Object.fromEntries(Object.entries(added).map(([name, tools]) => [name, { tools }]));
    server = await openTestServer({ mode: 'internal', yaml: JSON.stringify({ agents }) });
  });
  afterAll(() => server.close());

  const table = Object.entries({ ...byDefault, ...single });

  for (const [agent, granted] of table)
    it(`SAI-39.1 lists exactly what is granted: ${agent}`, async () => {
      const signal = new AbortController().signal;
      const listed = await server.agents.get(agent)?.tools.list({ signal });
      const names = listed?.map(({ name }) => name).filter((name) => operations.includes(name));
      expect(new Set(names)).toEqual(new Set(granted));
      expect(names).toHaveLength(granted.length);
    });

  for (const [agent, granted] of table)
    for (const operation of operations)
      it(`SAI-39.2 ${granted.includes(operation) ? 'runs' : 'refuses'} ${operation} for ${agent}`, async () => {
        const [fixed = {}, answer] = calls[operation] ?? [];
        // A definition is made under a name of its own.
        const args = operation === 'mcp_server_register' ? { serverName: agent, ...fixed } : fixed;
        const expected = granted.includes(operation)
          ? answer
          : `refused: The agent "${agent}" has no operation "${operation}".`;
        expect(await answerOf(server, agent, operation, args)).toBe(expected);
      });

  it('SAI-39.2 answers to what is not granted as to what does not exist', async () => {
    expect(await answerOf(server, 'planner', 'mcp_tools_x', {})).toBe(
      'refused: The agent "planner" has no operation "mcp_tools_x".',
    );
  });
});

/** `success`, the code of the failure, or why the call was refused before any operation ran. */
async function answerOf(server: TestServer, agent: string, name: string, args: object): Promise<string> {
  const context = { callId: '1', signal: new AbortController().signal, progress: () => undefined };
  try {
    const result = await server.agents.get(agent)?.tools.call(name, { ...args }, context);
    const { success, error } = (result?.structuredContent ?? {}) as {
      success?: boolean;
      error?: { code: string };
    };
    return success ? 'success' : (error?.code ?? 'no answer');
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : String(error)}`;
  }
}
