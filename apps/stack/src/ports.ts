import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { exitCodes, Trouble } from '@portolan/cli';

/** Ports by the environment variable that names each. */
export type Ports = Readonly<Record<string, number>>;

/** The ports that these variables ask for, else the usual ones; 0 stands for any. Throws with every fault at once. */
export function wantedPorts(usual: Ports, environment: Readonly<Record<string, string | undefined>>): Ports {
  const wanted = Object.entries(usual).map(
    ([name, port]) => [name, readPort(environment[name], port)] as const,
  );
  const faults = wanted
    .filter(([, port]) => port === undefined)
    .map(([name]) => `${name} must be a port, 0 to 65535.`);
  if (faults.length > 0) throw new Trouble(faults.join('\n'), exitCodes.configuration);
  return Object.fromEntries(wanted.map(([name, port]) => [name, port ?? 0]));
}

/**
 * Finds out that the wanted ports are free on loopback, and a free one where 0 is wanted, by holding all of them at once.
 * Throws when one is taken.
 */
export async function reservePorts(wanted: Ports): Promise<Ports> {
  const held: Server[] = [];
  const ports: Record<string, number> = {};
  try {
    // The fixed ones first: no free one may happen to be theirs.
    for (const [name, port] of Object.entries(wanted).toSorted(([, a], [, b]) => b - a)) {
      const server = port === 0 ? await holdAny() : await hold(port);
      if (server === undefined) throw new Trouble(taken(name, port), exitCodes.tryAgain);
      held.push(server);
      ports[name] = (server.address() as AddressInfo).port;
    }
    return ports;
  } finally {
    for (const server of held) await once(server.close(), 'close');
  }
}

function readPort(text: string | undefined, usual: number): number | undefined {
  if (text === undefined || text === '') return usual;
  return /^(?:0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

function taken(name: string, port: number): string {
  return `Port ${port} is in use by another program. Set ${name} to another port, or to 0 for a free one.`;
}

/** None that `fetch` and browsers refuse: their list ends at 10080. */
const LOWEST = 11_000;

/** A free port below those that the kernel gives to outgoing connections: none of them can take it once it is released. */
async function holdAny(): Promise<Server> {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').catch(() => '32768');
  const above = Math.max(Number.parseInt(range, 10), 12_000);
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const server = await hold(randomInt(LOWEST, above));
    if (server !== undefined) return server;
  }
  throw new Trouble('No free port was found.', exitCodes.tryAgain);
}

function hold(port: number): Promise<Server | undefined> {
  const server = createServer((visitor) => visitor.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(undefined) : reject(error),
    );
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server));
  });
}
