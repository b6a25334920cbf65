import { onTestFinished } from 'vitest';
import { startModelServer, type ModelRequest, type ServerReply } from '@portolan/agent/testing';
import type { MintBody, SvedaEvent } from '@sveda-ai/protocol';
import { testMcpServer, type TestTool } from './mcp-server.ts';
import { ADMIN_KEY, rawVisitor, testSveda } from './sveda.ts';
import type { Diagnostics } from '../tools/diagnostics.ts';

/** Closes it after the test. */
export function closing<T extends { close(): Promise<unknown> }>(one: T): T {
  onTestFinished(async () => void (await one.close()));
  return one;
}

/** An MCP server that is closed after the test. */
export async function mcpServer(...[tools, options]: Parameters<typeof testMcpServer>) {
  return closing(await testMcpServer(tools, options));
}

/** What a model on the wire says to each request. */
export type Model = (request: ModelRequest, index: number) => ServerReply | undefined;

/** A server with a host behind it, a model as the test wants it, and a visitor who speaks by hand. */
export async function talk({
  script = '- text: Done.',
  model,
  host: tools = [],
  hostOptions,
  mint = {},
  ...options
}: {
  script?: string;
  /** A model on the wire, which sees what reaches models, in place of the script. */
  model?: Model;
  host?: readonly TestTool[];
  hostOptions?: Parameters<typeof testMcpServer>[1];
  mint?: MintBody;
} & Omit<NonNullable<Parameters<typeof testSveda>[1]>, 'models'> = {}) {
  const host = await mcpServer(tools, hostOptions);
  const wire = model && closing(await startModelServer(model));
  const models = wire && [{ provider: 'openai-compatible', baseURL: wire.baseURL, model: 'wire' }];
  const server = closing(await testSveda(script, { ...options, ...(models && { models }) }));
  const pair = { host_mcp_url: host.url, host_mcp_token: 'visitor-bearer' };
  const visitorWith = async (body: MintBody) =>
    rawVisitor(server.origin, await server.mint({ visitor_id: 'v1', ...pair, ...body }));
  return {
    host,
    server,
    /** What reached the model, oldest first. */
    requests: wire?.requests ?? [],
    visitor: await visitorWith(mint),
    visitorWith,
    diagnostics: async (turnId: string | undefined): Promise<Diagnostics> => {
      const address = new URL(`/sveda/admin/turns/${turnId}/tools`, server.origin);
      const answer = await fetch(address, { headers: { 'x-sveda-admin-key': ADMIN_KEY } });
      return ((await answer.json()) as { tools: Diagnostics }).tools;
    },
  };
}

/** Names of the tools that a model was offered. */
export function offeredIn(request: ModelRequest | undefined): string[] {
  const { tools = [] } = (request?.body ?? {}) as { tools?: { function: { name: string } }[] };
  return tools.map(({ function: { name } }) => name);
}

/** The results of a stream, as `tool: status`. */
export function resultsIn(events: readonly SvedaEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === 'tool.result' ? [`${event.toolName}: ${event.status}`] : [],
  );
}

/** How the calls of a stream ended, by tool. */
export function statusesIn(events: readonly SvedaEvent[]): Record<string, string> {
  return Object.fromEntries(
    events.flatMap((event) => (event.type === 'tool.result' ? [[event.toolName, event.status]] : [])),
  );
}

/** The id of the call of a tool. */
export function callIn(events: readonly SvedaEvent[], tool: string): string {
  const call = events.find((event) => event.type === 'tool.call' && event.toolName === tool);
  return call?.type === 'tool.call' ? call.toolCallId : '';
}
