import { connect, ConnectionFailure, NEWEST, type Connection } from '@portolan/mcp/connect';
import type { HostCredentials } from '../embed/seal.ts';
import { CLIENT } from '../release.ts';
import { resultOf } from './mcp-result.ts';
import { supplyOf, type Supply } from './supply.ts';
import type { Verdicts } from './verdicts.ts';

/** The host's MCP server for one segment: reached with the visitor's bearer, listed whole or not at all. */
export interface HostTools extends Supply {
  close(): Promise<unknown>;
}

/** What a host is told of the talk with each call, in `_meta`. */
export interface HostMeta {
  readonly chatId: string;
  /** What the page shows, as the page said it. */
  readonly context: Readonly<Record<string, unknown>> | undefined;
}

/** Milliseconds for connecting and listing all pages. */
const START_MS = 30_000;

/** Connects to the host's MCP server. Rejects with a ConnectionFailure when it cannot be reached or listed. */
export async function openHost(
  credentials: HostCredentials,
  { chatId, context }: HostMeta,
  verdicts: Verdicts,
  signal: AbortSignal,
): Promise<HostTools> {
  const connection = await meet(credentials, verdicts, signal);
  const meta = { 'ai.sveda/chat': chatId, ...(context && { 'ai.sveda/context': context }) };
  const supply = supplyOf(
    { origin: 'host' },
    connection.catalog,
    connection.instructions,
    (tool, input, call) =>
      resultOf(
        connection.call(tool, input, { signal: call.signal, onProgress: call.progress, meta }),
        call.signal,
      ),
  );
  return { ...supply, close: () => connection.close() };
}

/** Failures of a handshake in a revision that the peer no longer wants. */
const OTHER_REVISION = new Set(['revision_unsupported', 'http_refused', 'peer_error', 'answer_malformed']);

/** Speaks 2025-11-25 first, or 2026-07-28 to a host that lately asked for it. A verdict that is stale is forgotten. */
async function meet(
  credentials: HostCredentials,
  verdicts: Verdicts,
  signal: AbortSignal,
): Promise<Connection> {
  const { url } = credentials;
  if (!(await verdicts.asksForNewest(url))) {
    const connection = await shake(credentials, undefined, signal);
    if (connection.revision === NEWEST) await verdicts.keep(url);
    return connection;
  }
  try {
    return await shake(credentials, NEWEST, signal);
  } catch (error) {
    if (!(error instanceof ConnectionFailure) || !OTHER_REVISION.has(error.code)) throw error;
    await verdicts.forget(url);
    return shake(credentials, undefined, signal);
  }
}

function shake(
  { url, token }: HostCredentials,
  known: typeof NEWEST | undefined,
  signal: AbortSignal,
): Promise<Connection> {
  return connect(
    { transport: 'streamable-http', url: new URL(url), headers: { authorization: `Bearer ${token}` } },
    { budget: START_MS, signal, clientInfo: CLIENT, ...(known && { known }) },
  );
}
