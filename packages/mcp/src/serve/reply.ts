import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { codes, fault, type Fault } from './fault.ts';

/** The id of a request, or null where none could be read. */
export type Id = string | number | null;

/** Makes the HTTP answers of one mount. */
export interface Reply {
  /** `result` is JSON text. A page that is kept as bytes goes to `outgoing`, where there is one, without a copy. */
  result(id: Id, result: string | Buffer, outgoing: ServerResponse | undefined): Response;
  fault(id: Id, fault: Fault, status: number): Response;
  /** A notification, or an answer to a question that we never ask. */
  accepted(): Response;
  methodNotAllowed(): Response;
}

/** `headers` stand on every answer. They are plain so that the adapter writes them without copying. */
export function replies(headers: Readonly<Record<string, string>>): Reply {
  const json = { ...headers, 'content-type': 'application/json' };
  const ok = { status: 200, headers: json };
  return {
    result(id, result, outgoing) {
      const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
      if (typeof result === 'string') return new Response(`${head}${result}}`, ok);
      const parts = [Buffer.from(head), result, tail];
      return outgoing ? written(outgoing, json, parts) : new Response(Buffer.concat(parts), ok);
    },
    fault: (id, found, status) =>
      new Response(errorText(id, found), { status, headers: { ...json, ...found.headers } }),
    accepted: () => new Response(null, { status: 202, headers }),
    methodNotAllowed: () =>
      new Response(errorText(null, onlyPost), { status: 405, headers: { ...json, allow: 'POST' } }),
  };
}

const onlyPost = fault(codes.transport, 'Only POST is served here.');

function errorText(id: Id, { code, message, data }: Fault): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
}

const tail = Buffer.from('}');

/** Writes an answer in parts, which node sends together, and returns the adapter's word for that. */
function written(
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string>>,
  parts: readonly Buffer[],
): Response {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  outgoing.writeHead(200, { ...headers, 'content-length': bytes });
  for (const part of parts) outgoing.write(part);
  outgoing.end();
  return RESPONSE_ALREADY_SENT;
}
