import { OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import { ErrorBody } from '@sveda-ai/protocol';
import { z } from 'zod';
import { release } from '../release.ts';
import { credentials, operations, type Operation } from './operations.ts';

/** The OpenAPI 3.1 document of all operations. */
export function document(): object {
  const app = new OpenAPIHono();
  for (const [name, header] of Object.entries(credentials))
    app.openAPIRegistry.registerComponent('securitySchemes', name, {
      type: 'apiKey',
      in: 'header',
      name: header,
    });
  for (const operation of operations) app.openAPIRegistry.registerPath(pathOf(operation));
  return app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'Sveda', version: release } });
}

function pathOf(operation: Operation): RouteConfig {
  const { method, path, says, credential, status } = operation;
  return {
    method,
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    summary: says,
    ...(credential !== 'nobody' && { security: [{ [credential]: [] }] }),
    request: requestOf(operation),
    responses: {
      [status]: answerOf(operation),
      default: { description: 'A refusal.', content: { 'application/json': { schema: ErrorBody } } },
    },
  };
}

function requestOf({ path, query, headers, body, bodyType = 'application/json' }: Operation) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return {
    ...(names.length > 0 && { params: z.object(Object.fromEntries(names.map((name) => [name, z.uuid()]))) }),
    ...(query && { query }),
    ...(headers && { headers }),
    ...(body && { body: { required: true, content: { [bodyType]: { schema: body } } } }),
  };
}

function answerOf({ answer, streams }: Operation) {
  if (!answer) return { description: 'Done.' };
  const type = streams ? 'text/event-stream' : 'application/json';
  const description = streams
    ? 'Events, each the data of one server-sent event; then [DONE].'
    : 'The answer.';
  return { description, content: { [type]: { schema: answer } } };
}
