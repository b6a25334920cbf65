import { Client, ProtocolError, SdkHttpError, type Implementation } from '@modelcontextprotocol/client';
import type { Channel } from './channel.ts';
import type { Deadline } from './deadline.ts';
import { ConnectionFailure } from './errors.ts';
import { bodyOf } from './http-failure.ts';

/** What our side of a handshake says and answers. */
export interface OurSide {
  readonly clientInfo: Implementation;
  /** Answered to roots/list at any time. None: roots are not offered. */
  readonly roots: readonly { readonly uri: string; readonly name?: string }[] | undefined;
}

/** The newest revision; spoken only to peers that ask for it. */
export const NEWEST = '2026-07-28';

/** JSON-RPC error by which a peer refuses a revision, and says which it speaks (MCP 2026-07-28). */
const UNSUPPORTED_REVISION = -32022;

/**
 * Makes the acquaintance of a peer: `initialize` of 2025-11-25 first. 2026-07-28 is spoken only where the peer asks for
 * it in its refusal, on the same connection, or where `known` says so from an earlier time.
 */
export async function shakeHands(
  channel: Channel,
  ours: OurSide,
  deadline: Deadline,
  known: typeof NEWEST | undefined,
): Promise<Client> {
  if (known) return meet(channel, ours, deadline, true);
  try {
    return await meet(channel, ours, deadline, false);
  } catch (error) {
    if (channel.failure || deadline.reached() || !asksForNewest(error)) throw error;
    return meet(channel, ours, deadline, true);
  }
}

async function meet(channel: Channel, ours: OurSide, deadline: Deadline, newest: boolean): Promise<Client> {
  const timeout = deadline.left();
  const client = new Client(ours.clientInfo, {
    capabilities: ours.roots ? { roots: { listChanged: false } } : {},
    inputRequired: { autoFulfill: false },
    ...(newest && { versionNegotiation: { mode: { pin: NEWEST }, probe: { timeoutMs: timeout } } }),
  });
  const { roots } = ours;
  if (roots) client.setRequestHandler('roots/list', () => ({ roots: [...roots] }));
  await client.connect(channel.attach(), { timeout, signal: deadline.signal });
  return client;
}

/** True for a refusal that names the newest revision among those it speaks. */
function asksForNewest(error: unknown): boolean {
  const { code, data } = refusalOf(error) ?? {};
  if (code !== UNSUPPORTED_REVISION || typeof data !== 'object' || data === null || !('supported' in data))
    return false;
  return Array.isArray(data.supported) && data.supported.includes(NEWEST);
}

/** The JSON-RPC error in a refusal: in the answer itself, or in the body of an HTTP 400. */
function refusalOf(error: unknown): { code?: unknown; data?: unknown } | undefined {
  if (error instanceof ProtocolError) return error;
  const http = error instanceof ConnectionFailure ? error.cause : undefined;
  if (!(http instanceof SdkHttpError) || http.status !== 400) return undefined;
  try {
    const body = JSON.parse(bodyOf(http)) as { error?: { code?: unknown; data?: unknown } } | null;
    return body?.error;
  } catch {
    return undefined;
  }
}
