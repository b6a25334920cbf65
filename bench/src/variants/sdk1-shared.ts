import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { callChecked, descriptor, type BenchTool } from '../catalogue.ts';
import { serverInfo, type Variant } from '../variant.ts';
import { listenOnLoopback, onJson } from './loopback.ts';
import { serveOnce } from './sdk1-once.ts';

export const variant: Variant = {
  says: 'SDK v1 stateless, tuned: low-level `Server` with one shared validator and the parsed body, node:http',
  eras: ['2025-11-25'],
  operations: ['call', 'list'],
  start(tools) {
    const listed = tools.map(descriptor);
    const jsonSchemaValidator = new AjvJsonSchemaValidator();
    return listenOnLoopback((request, response) =>
      onJson(
        request,
        (body) => void serveOnce(lowLevel(tools, listed, jsonSchemaValidator), request, response, body),
      ),
    );
  },
};

function lowLevel(
  tools: readonly BenchTool[],
  listed: ReturnType<typeof descriptor>[],
  jsonSchemaValidator: AjvJsonSchemaValidator,
): Server {
  const server = new Server(serverInfo, { capabilities: { tools: {} }, jsonSchemaValidator });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callChecked(tools, params.name, params.arguments),
  );
  return server;
}
