import type { Readiness, Ready } from './connections.ts';
import { ServerError } from './errors.ts';

/** The servers that start together with Saivage. */
export interface Autostart {
  /** Starts all at the same time and waits for them. Never rejects. */
  readonly run: () => Promise<void>;
  /** A server has come up, whoever has started it: it is no longer awaited. */
  came(serverName: string): void;
  readonly readiness: () => Readiness;
}

type Awaited = Readiness['servers'][number];

/** Awaits these servers from the beginning, so that nothing is ready before they are. */
export function newAutostart(
  serverNames: readonly string[],
  start: (serverName: string) => Promise<Ready>,
): Autostart {
  const awaited = new Map<string, Awaited>(
    serverNames.map((serverName) => [serverName, { serverName, status: 'starting' }]),
  );
  const startOne = async (serverName: string) => {
    try {
      await start(serverName);
    } catch (error) {
      if (awaited.has(serverName)) awaited.set(serverName, failureOf(serverName, error));
    }
  };
  return {
    run: async () => void (await Promise.all(serverNames.map(startOne))),
    came: (serverName) => void awaited.delete(serverName),
    readiness: () => ({ ready: awaited.size === 0, servers: [...awaited.values()] }),
  };
}

function failureOf(serverName: string, error: unknown): Awaited {
  const { code, phase } = error instanceof ServerError ? error : { code: 'unclassified', phase: undefined };
  return { serverName, status: 'failed', code, ...(phase && { phase }) };
}
