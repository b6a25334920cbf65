import { descriptor } from '../catalogue.ts';
import { eras } from '../exercise.ts';
import type { Variant } from '../variant.ts';
import { listenOnLoopback, onJson } from './loopback.ts';
import { envelope, isModern, type RawMessage } from './raw-envelope.ts';

export const variant: Variant = {
  says: 'node:http, JSON.parse, the list as bytes that were made once',
  eras,
  operations: ['list'],
  start(tools) {
    const listed = { tools: tools.map(descriptor) };
    const bytes = (message: RawMessage) => Buffer.from(`${JSON.stringify(envelope(message, listed))}}`);
    const ask = { id: 1, method: 'tools/list' };
    const legacy = bytes({ ...ask, params: {} });
    const modern = bytes({ ...ask, params: { _meta: {} } });
    return listenOnLoopback((request, response) =>
      onJson(request, (body) => {
        const message = body as RawMessage;
        const head = Buffer.from(`{"jsonrpc":"2.0","id":${message.id},"result":`);
        const result = isModern(message) ? modern : legacy;
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': head.length + result.length,
        });
        response.write(head);
        response.end(result);
      }),
    );
  },
};
