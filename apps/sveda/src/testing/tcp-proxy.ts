import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A proxy that closes connections on which nothing has moved for `idleMs` since their first answer began, and whose network can be
 * cut. Before that the database takes its time, on a busy machine more than a shortened limit has.
 */
export async function tcpProxy(target: string, idleMs: number) {
  const sockets = new Set<Socket>();
  let isCut = false;
  let idled = 0;
  const { hostname, port } = new URL(target);
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    let moved = 0;
    let idle: ReturnType<typeof setTimeout> | undefined;
    const judge = (): void => {
      // What came while this process stood still has not been looked at yet.
      const before = moved;
      setImmediate(() =>
        setImmediate(() => {
          if (moved > before || near.destroyed) return;
          idled += 1;
          near.destroy();
        }),
      );
    };
    const note = (): void => {
      moved += 1;
      idle?.refresh();
    };
    near.on('data', note);
    far.on('data', note);
    far.once('data', () => (idle = setTimeout(judge, idleMs)));
    near.on('close', () => clearTimeout(idle));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Connections that were closed because nothing moved. */
    get idled() {
      return idled;
    },
    cut(): void {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend(): void {
      isCut = false;
    },
    async close() {
      server.close();
      this.cut();
      if (server.listening) await once(server, 'close');
    },
  };
}
