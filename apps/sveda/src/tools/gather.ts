import { ConnectionFailure } from '@portolan/mcp/connect';
import type { Logger } from '@portolan/http';
import type { HostCredentials } from '../embed/seal.ts';
import { openHost, type HostMeta, type HostTools } from './host.ts';
import { loggedFailure } from './logged-failure.ts';
import type { RuntimeServer, RuntimeServers } from './runtime.ts';
import type { Supply } from './supply.ts';
import type { Verdicts } from './verdicts.ts';

/** A source that gives nothing this time, and why. */
export interface Failed {
  /** `host`, or `runtime <name>`. */
  readonly source: string;
  readonly message: string;
}

/** What MCP servers give to a segment. */
export interface Gathered {
  readonly host: Supply | undefined;
  /** By the name of the server, in the order of the configuration. */
  readonly runtime: readonly { readonly name: string; readonly supply: Supply }[];
  readonly failed: readonly Failed[];
  close(): Promise<void>;
}

/** What is asked, and for whom. */
export interface Asked {
  readonly credentials: HostCredentials | undefined;
  readonly meta: HostMeta;
  readonly servers: Readonly<Record<string, RuntimeServer>>;
}

/** Asks all servers at once. One that fails costs its own tools, and is told, unless the turn was stopped in the meantime. Never rejects. */
export async function gather(
  { credentials, meta, servers }: Asked,
  { runtime, verdicts, log }: { runtime: RuntimeServers; verdicts: Verdicts; log: Logger },
  signal: AbortSignal,
): Promise<Gathered> {
  const [host, shared] = await Promise.all([
    credentials &&
      openHost(credentials, meta, verdicts, signal).catch((error: unknown) =>
        signal.aborted ? undefined : failure(error, log),
      ),
    runtime.open(servers, signal),
  ]);
  const failed: Failed[] = host && 'message' in host ? [host] : [];
  const given: { name: string; supply: Supply }[] = [];
  for (const one of shared) {
    if ('supply' in one) given.push(one);
    else if (!signal.aborted) failed.push({ source: `runtime ${one.name}`, message: one.failure });
  }
  const open: HostTools | undefined = host && 'tools' in host ? host : undefined;
  return { host: open, runtime: given, failed, close: async () => void (await open?.close()) };
}

function failure(error: unknown, log: Logger): Failed {
  log.warn(loggedFailure(error), 'host tools are not available');
  const known = error instanceof ConnectionFailure;
  return { source: 'host', message: known ? error.message : 'The host could not be asked.' };
}
