import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** What came through a front. */
export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly status: number;
}

type Tokens = Readonly<Record<string, string>>;

/** An address before a server that is opened later: it passes everything on, Host and Origin too, and keeps what passed. */
export interface Front {
  readonly origin: string;
  readonly passed: Passed[];
  /** Where to pass requests on, and tokens by path for requests that bring none. */
  leadTo(origin: string, tokens?: Tokens): void;
  close(): Promise<void>;
}

/** Opens a front on a free port of this machine. Until it leads somewhere it ends every connection. */
export async function openFront(): Promise<Front> {
  const passed: Passed[] = [];
  let behind: Behind | undefined;
  // Clients read in the answers of the server behind how long a connection is kept: longer than they think, so that none is reused too late.
  const server = createServer({ keepAliveTimeout: 120_000 }, (incoming, outgoing) => {
    const there = behind
      ? pass(incoming, outgoing, behind)
      : Promise.reject(new Error('It leads nowhere yet.'));
    there.then(
      (one) => passed.push(one),
      () => outgoing.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    leadTo: (at, tokens = {}) => (behind = { origin: at, tokens }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Behind {
  readonly origin: string;
  readonly tokens: Tokens;
}

async function pass(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { origin, tokens }: Behind,
): Promise<Passed> {
  const { method = 'GET', url = '/' } = incoming;
  const body = await bytesOf(incoming);
  const token = tokens[url];
  const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...incoming.headers };
  // A connection of its own: one that is kept may be ended by the server just when it is used again.
  const how = { method, headers, setHost: false, agent: false } as const;
  const onward = forward(new URL(url, origin), how).end(body);
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  const status = answer.statusCode ?? 502;
  outgoing.writeHead(status, answer.rawHeaders).end(await bytesOf(answer));
  return { method, path: url, headers: incoming.headers, body: body.toString(), status };
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
