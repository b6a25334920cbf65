import {
  connect,
  ConnectionFailure,
  type CatalogTool,
  type Connection,
  type HttpDefinition,
} from '@portolan/mcp/connect';
import type { Logger } from '@portolan/http';
import { Refusal } from '@portolan/mcp/tool';
import { CLIENT } from '../release.ts';
import { loggedFailure } from './logged-failure.ts';
import { fingerprint } from './memory.ts';
import { resultOf } from './mcp-result.ts';
import { definitionOf, supplyOf, type Send, type Supply } from './supply.ts';

/** Times in milliseconds. */
export const RUNTIME_LIMITS = {
  /** For connecting and listing. */
  start: 15_000,
  /** What a turn waits for a connection that is being made. */
  patience: 5_000,
  /** After a failed start, until the next. */
  rest: 30_000,
  /** Age of a tool list after which it is read again, beside the turns. */
  fresh: 300_000,
} as const;

/** What a server gives to a turn, or in one sentence why it gives nothing. */
export type Given = { readonly supply: Supply } | { readonly failure: string };

/** A server that all turns of this node share. */
export interface SharedServer {
  /** What it gives now. Connects when it must; never rejects. */
  supply(signal: AbortSignal): Promise<Given>;
  /** Takes no further call, and ends the connection once those that run are answered. */
  retire(): Promise<void>;
  /** Ends the connection now. */
  close(): Promise<void>;
}

/** One connection, shared by all turns of this node: made when first needed, listed again when old, made anew when lost. */
export function shareServer(
  name: string,
  definition: HttpDefinition,
  log: Logger,
  now: () => Date,
): SharedServer {
  const over = new AbortController();
  const running = new Set<Promise<unknown>>();
  let opening: Promise<Connection> | undefined;
  let open: { readonly connection: Connection; listedAt: number } | undefined;
  let failed: { readonly error: unknown; readonly at: number } | undefined;

  const start = async (): Promise<Connection> => {
    try {
      const connection = await connect(definition, {
        budget: RUNTIME_LIMITS.start,
        signal: over.signal,
        clientInfo: CLIENT,
      });
      open = { connection, listedAt: now().getTime() };
      return connection;
    } catch (error) {
      failed = { error, at: now().getTime() };
      if (!over.signal.aborted)
        log.warn({ ...loggedFailure(error), server: name }, 'runtime MCP server is not available');
      throw error;
    } finally {
      opening = undefined;
    }
  };

  const connected = async (): Promise<Connection> => {
    if (open) return open.connection;
    if (failed && now().getTime() - failed.at < RUNTIME_LIMITS.rest) throw failed.error;
    opening ??= start();
    return opening;
  };

  /** The next turn connects anew. */
  const drop = async (connection: Connection): Promise<void> => {
    if (open?.connection !== connection) return;
    open = undefined;
    await connection.close();
  };

  const end = async (): Promise<void> => {
    await opening?.catch(() => undefined);
    if (open) await drop(open.connection);
  };

  const refreshIfOld = (): void => {
    if (!open || now().getTime() - open.listedAt < RUNTIME_LIMITS.fresh) return;
    const { connection } = open;
    open.listedAt = now().getTime();
    connection.refresh({ budget: RUNTIME_LIMITS.start }).catch((error: unknown) => {
      log.warn(
        { ...loggedFailure(error), server: name },
        'tools of a runtime MCP server could not be listed again',
      );
      void drop(connection);
    });
  };

  const send: Send = async (tool, input, { signal, progress }) => {
    if (over.signal.aborted)
      throw new Refusal('unavailable', 'The server is no longer used. Nothing was sent.');
    const connection = await connected();
    const current = sameTool(connection, tool);
    const answer = connection.call(current, input, { signal, onProgress: progress });
    running.add(answer);
    void answer
      .catch((error: unknown) => (isLost(error) ? drop(connection) : undefined))
      .finally(() => running.delete(answer));
    return resultOf(answer, signal);
  };

  return {
    async supply(signal) {
      try {
        const connection = await within(connected(), RUNTIME_LIMITS.patience, signal);
        refreshIfOld();
        return {
          supply: supplyOf(
            { origin: 'runtime', server: name },
            connection.catalog,
            connection.instructions,
            send,
          ),
        };
      } catch (error) {
        return {
          failure: error instanceof ConnectionFailure ? error.message : 'The server did not answer in time.',
        };
      }
    },
    async retire() {
      over.abort(new Error('the server is no longer used'));
      await Promise.allSettled(running);
      await end();
    },
    async close() {
      over.abort(new Error('the server is no longer used'));
      await end();
    },
  };
}

/** The list may have been read again since the tool was offered: only the same tool is called. */
function sameTool({ catalog }: Connection, tool: CatalogTool): CatalogTool {
  const current = catalog.tool(tool.name);
  if (current && fingerprint(definitionOf(current)) === fingerprint(definitionOf(tool))) return current;
  throw new Refusal(
    'conflict',
    'The tool has changed since it was offered. Nothing was sent. Make the call again.',
  );
}

/** Failures after which the connection is of no further use. */
function isLost(error: unknown): boolean {
  return (
    error instanceof ConnectionFailure &&
    ['session_lost', 'closed', 'unreachable', 'http_refused'].includes(error.code)
  );
}

/** Waits for it, but no longer than that, and not once the turn is stopped. It goes on by itself. */
async function within<T>(work: Promise<T>, ms: number, signal: AbortSignal): Promise<T> {
  const done = new AbortController();
  const late = new Promise<never>((_, reject) => {
    const end = (): void => reject(new Error('not in time'));
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true, signal: done.signal });
    done.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}
