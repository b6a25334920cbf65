import {
  createMcpHandler,
  fromJsonSchema,
  McpServer,
  ResourceTemplate as SdkTemplate,
  WebStandardStreamableHTTPServerTransport,
  type CallToolResult,
} from '@modelcontextprotocol/server';
import type { Call, Tool } from '@portolan/mcp/tool';
import { anonymous, type ResourceBody } from '@portolan/mcp/serve';
import type { Fetch } from './fixtures/mount.ts';
import { resources, templates } from './fixtures/resources.ts';
import { tools } from './fixtures/tools.ts';

/** The SDK's handler of both eras over the same fixtures: what our serving path is compared with. */
export function sdkHandler(version: string): Fetch {
  const handler = createMcpHandler(() => fixtureServer(version));
  return (request) => handler.fetch(request);
}

/** The SDK's transport, stateless and with JSON answers, for one legacy revision: what a strict mount is compared with. */
export function sdkStrictTransport(version: string, revision: string): Fetch {
  return async (request) => {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await fixtureServer(version, [revision]).connect(transport);
    return transport.handleRequest(request);
  };
}

const prepared = tools.map(prepare);

function fixtureServer(version: string, supportedProtocolVersions?: string[]): McpServer {
  const server = new McpServer(
    { name: 'conformance-fixtures', title: 'Conformance fixtures', version },
    {
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
      ...(supportedProtocolVersions && { supportedProtocolVersions }),
    },
  );
  for (const { name, config, run } of prepared) server.registerTool(name, config, run);
  for (const one of resources) {
    server.registerResource(one.name, one.uri, { mimeType: one.mimeType }, async ({ href }) => ({
      contents: [{ uri: href, mimeType: one.mimeType, ...onWire(await one.read(call())) }],
    }));
  }
  for (const one of templates) {
    const template = new SdkTemplate(one.uriTemplate, { list: undefined });
    server.registerResource(one.name, template, { mimeType: one.mimeType }, async ({ href }, variables) => ({
      contents: [{ uri: href, mimeType: one.mimeType, ...onWire(await one.read(variables, call())) }],
    }));
  }
  return server;
}

function prepare(tool: Tool) {
  const { title, description, inputSchema, outputSchema, annotations } = tool.descriptor;
  return {
    name: tool.name,
    config: {
      title,
      description,
      annotations,
      inputSchema: fromJsonSchema(inputSchema),
      ...(outputSchema && { outputSchema: fromJsonSchema(outputSchema) }),
    },
    run: async (input: unknown) => (await tool.run(input, call())) as CallToolResult,
  };
}

function call(): Call<unknown> {
  return { deps: undefined, caller: anonymous, signal: new AbortController().signal };
}

function onWire(body: ResourceBody): { text: string } | { blob: string } {
  return 'text' in body ? body : { blob: Buffer.from(body.bytes).toString('base64') };
}
