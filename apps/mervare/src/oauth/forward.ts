import { IncomingMessage } from 'node:http';
import type { EdgeEnv } from '@portolan/http';
import type { Context } from 'hono';
import type { Provider } from 'oidc-provider';

/** What of a request is said otherwise than the client said it. */
interface Instead {
  /** Path and query. */
  readonly url?: string;
  readonly body?: { readonly type: string; readonly text: string };
}

/** The headers that the authorization server reads. Its answers are JSON but for pages, so nobody chooses by Accept. */
const PASSED = ['cookie', 'authorization', 'user-agent'];

/**
 * Hands a request to the authorization server, which writes its answer to the node response. It gets a request of its own, in
 * canonical form, because the body of the real one has been read here.
 */
export async function forward(
  c: Context<EdgeEnv>,
  provider: Provider,
  instead: Instead = {},
): Promise<Response> {
  const { incoming, outgoing } = socketOf(c);
  const { host, scheme } = c.get('client');
  const request = new IncomingMessage(incoming.socket);
  request.method = incoming.method ?? 'GET';
  request.url = instead.url ?? incoming.url ?? '/';
  request.headers = {
    ...Object.fromEntries(PASSED.map((name) => [name, incoming.headers[name]]).filter(([, value]) => value)),
    accept: 'application/json',
    host,
    'x-forwarded-proto': scheme,
  };
  if (instead.body !== undefined) {
    request.headers['content-type'] = instead.body.type;
    request.headers['content-length'] = String(Buffer.byteLength(instead.body.text));
    request.push(instead.body.text);
  }
  request.push(null);
  // Else its end would look like a client that broke off, and end the socket.
  request.complete = true;
  await provider.callback()(request, outgoing);
  return c.body(null);
}

/** What node has of a request, for the library. */
export function socketOf(c: Context<EdgeEnv>) {
  const { incoming, outgoing } = c.env;
  if (incoming === undefined || outgoing === undefined) throw new Error('Needs a real socket');
  return { incoming, outgoing };
}
