import type { ServerResponse } from 'node:http';
import { callResult, descriptor, type BenchTool } from '../catalogue.ts';
import { eras } from '../exercise.ts';
import type { Variant } from '../variant.ts';
import { listenOnLoopback, onJson } from './loopback.ts';
import { envelope, type RawMessage } from './raw-envelope.ts';

export const variant: Variant = {
  says: 'node:http, JSON.parse and JSON.stringify, no check of any kind',
  eras,
  operations: ['call', 'list'],
  start(tools) {
    const listed = tools.map(descriptor);
    return listenOnLoopback((request, response) =>
      onJson(request, (body) => void answer(body as RawMessage, tools, listed, response)),
    );
  },
};

async function answer(
  message: RawMessage,
  tools: readonly BenchTool[],
  listed: readonly unknown[],
  response: ServerResponse,
): Promise<void> {
  const { name, arguments: input } = message.params;
  const tool = tools.find((one) => one.name === name);
  const result = tool ? await callResult(tool, input) : { tools: listed };
  const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: envelope(message, result) });
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
