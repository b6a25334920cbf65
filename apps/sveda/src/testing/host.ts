import { listen } from '@portolan/http';
import { legacyRevisions, serveMcp, surface } from '@portolan/mcp/serve';
import { anyone, toolsFor } from '@portolan/mcp/tool';
import { z } from 'zod';

/** A host's MCP server on a real port: `read_a` answers, `delete_c` asks for confirmation. It keeps what it was asked. */
export async function testHost() {
  const runs: string[] = [];
  const asked: { method: string; bearer: string | null }[] = [];
  const tool = toolsFor<object>();
  const common = {
    access: anyone,
    input: z.object({ id: z.string().default('') }),
    output: z.object({ said: z.string() }),
  };
  const named = (name: string, effect: 'reads' | 'destroys') =>
    tool(name, {
      ...common,
      title: name,
      says: `Runs ${name}.`,
      effect,
      example: {},
      ...(effect === 'destroys' && { meta: { confirmation: 'required' } }),
    }).run(async ({ id }) => {
      runs.push(`${name} ${id}`);
      return { said: `${name} ${id} õäöü 漢字` };
    });
  const shown = surface({
    server: { name: 'host', release: '1.0.0' },
    tools: [named('read_a', 'reads'), named('delete_c', 'destroys')],
    instructions: 'Use read_a to read.',
  });
  const serve = serveMcp({
    surface: () => shown,
    deps: {},
    revisions: legacyRevisions,
    disconnect: 'detached',
    onError: (error) => {
      throw error;
    },
  });
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body = request.method === 'POST' ? ((await request.json()) as { method: string }) : undefined;
      asked.push({ method: body?.method ?? request.method, bearer: request.headers.get('authorization') });
      return serve(request, body && { body });
    },
  });
  return {
    url: `${listener.origin}/mcp`,
    runs,
    asked,
    close: () => listener.close({ graceMs: 1_000 }),
  };
}
