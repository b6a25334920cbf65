import type { HttpDefinition } from '@portolan/mcp/connect';
import type { Logger } from '@portolan/http';
import { shareServer, type Given, type SharedServer } from './shared-server.ts';

/** One entry of `mcp.mcpServers`. */
export interface RuntimeServer {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What a runtime server gives to a turn, or why it gives nothing. */
export type RuntimeSupply = { readonly name: string } & Given;

/** The connections to the servers that all visitors share: one each on this node, opened when first needed. */
export interface RuntimeServers {
  /** What these servers give now. One that is no longer among them is let go when its calls are answered. Never rejects. */
  open(
    servers: Readonly<Record<string, RuntimeServer>>,
    signal: AbortSignal,
  ): Promise<readonly RuntimeSupply[]>;
  close(): Promise<void>;
}

/** Where a server is and what it is told with every request. Nothing of a visitor is ever among it. */
export function definitionOfServer({ url, headers = {} }: RuntimeServer): HttpDefinition {
  return { transport: 'streamable-http', url: new URL(url), headers };
}

export function runtimeServers(log: Logger, now: () => Date): RuntimeServers {
  const shared = new Map<string, { readonly text: string; readonly server: SharedServer }>();

  function serverOf(name: string, entry: RuntimeServer): SharedServer {
    const text = JSON.stringify(entry);
    const known = shared.get(name);
    if (known?.text === text) return known.server;
    void known?.server.retire();
    const server = shareServer(name, definitionOfServer(entry), log, now);
    shared.set(name, { text, server });
    return server;
  }

  return {
    open(servers, signal) {
      for (const [name, { server }] of shared) {
        if (Object.hasOwn(servers, name)) continue;
        shared.delete(name);
        void server.retire();
      }
      return Promise.all(
        Object.entries(servers).map(async ([name, entry]) => ({
          name,
          ...(await serverOf(name, entry).supply(signal)),
        })),
      );
    },
    async close() {
      await Promise.all([...shared.values()].map(({ server }) => server.close()));
    },
  };
}
