import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** Bytes to and from a port, as they are. For tests. */
export interface Wire {
  readonly socket: Socket;
  write(text: string): void;
  /** All that has come so far, once it matches; rejects when the connection ends before. */
  until(pattern: RegExp): Promise<string>;
  /** All that came until the other side ended the connection. */
  end(): Promise<string>;
}

export async function wire(port: number): Promise<Wire> {
  const socket = connect({ port, host: '127.0.0.1' });
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => {});
  await once(socket, 'connect');
  return {
    socket,
    write: (sent) => void socket.write(sent),
    async until(pattern) {
      while (!pattern.test(text)) {
        if (socket.closed) throw new Error(`ended without ${String(pattern)}: ${text}`);
        await new Promise<void>((resolve) =>
          socket.once('data', () => resolve()).once('close', () => resolve()),
        );
      }
      return text;
    },
    async end() {
      if (!socket.closed) await new Promise<void>((resolve) => socket.once('close', () => resolve()));
      return text;
    },
  };
}

/** Sends a request on a connection of its own and reads until the other side ends it. */
export async function exchange(port: number, request: string): Promise<string> {
  const line = await wire(port);
  line.write(request);
  return line.end();
}
