import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An HTTP request in parts, each of which a test can break. */
export interface Parts {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** An HTTP answer as it came over the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The bytes of the head of a request. Its Content-Length is the body's, unless the headers say something else. */
export function headBytes({ method, target, headers, body }: Parts): string {
  const sized = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const all = sized ? headers : [...headers, ['Content-Length', String(Buffer.byteLength(body))] as const];
  return `${method} ${target} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** Sends bytes on a new connection and reads the one answer to them. `rest` follows once the server says 100. */
export async function exchange(port: number, bytes: string): Promise<Reply> {
  const socket = await open(port);
  try {
    socket.write(bytes);
    return await readReply(socket);
  } finally {
    socket.destroy();
  }
}

/** A connection to a port of this machine. */
export async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  // A server may reset a connection that it has refused; what it said before is read all the same.
  socket.on('error', () => undefined);
  return socket;
}

/** Reads one answer; interim ones (1xx) count as answers too. Throws when the connection ends before it is whole. */
export async function readReply(socket: Socket): Promise<Reply> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    text += chunk.toString('latin1');
    const reply = parse(text);
    if (reply) return reply;
  }
  throw new Error(`The connection ended after ${JSON.stringify(text)}`);
}

/** The first answer in the text, once it is there as a whole. */
function parse(text: string): Reply | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const size = Number(headers.get('content-length') ?? 0);
  const body = text.slice(end + 4, end + 4 + size);
  if (body.length < size) return undefined;
  return { status: Number(first.split(' ')[1]), headers, body: Buffer.from(body, 'latin1').toString() };
}
