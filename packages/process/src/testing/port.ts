import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';

/** Below the ports that the kernel and our stack give out by themselves, and none that `fetch` and browsers refuse. */
const [FIRST, LAST] = [7_000, 9_999];

/**
 * A port of 127.0.0.1 for a program that must be told one. Nobody is given it by chance, and no other call answers it while
 * this process lives: an abstract socket holds its name.
 */
export async function freePort(): Promise<number> {
  for (let port = FIRST; port <= LAST; port += 1) {
    const name = await listening({ path: `\0portolan-port-${port}` });
    name?.unref();
    const probe = name && (await listening({ port, host: '127.0.0.1' }));
    if (!probe) continue;
    await once(probe.close(), 'close');
    return port;
  }
  throw new Error(`No port from ${FIRST} to ${LAST} is free.`);
}

/** A server that listens, or undefined where somebody else does. */
function listening(where: ListenOptions): Promise<Server | undefined> {
  const server = createServer().listen(where);
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}
