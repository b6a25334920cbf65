import { Client, ProtocolError, SdkHttpError, type Implementation } from '@modelcontextprotocol/client';
import type { Channel } from './channel.ts';
import { withinDeadline, type Deadline } from './deadline.ts';
import { ConnectionFailure } from './errors.ts';
import { refusalIn } from './http-failure.ts';
import type { Answer } from './pending.ts';
import { envelopeOf, shareTransport, type Request } from './requests.ts';

/** What our side of a handshake says and answers. */
export interface OurSide {
  readonly clientInfo: Implementation;
  /** Answered to roots/list at any time. None: roots are not offered. */
  readonly roots: readonly { readonly uri: string; readonly name?: string }[] | undefined;
}

/** The acquaintance with a peer after the handshake. */
export interface Session {
  readonly revision: string;
  readonly serverInfo: Implementation | undefined;
  readonly instructions: string | undefined;
  readonly hasTools: boolean;
  ask(request: Request): Promise<Answer>;
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
): Promise<Session> {
  if (known) return meet(channel, ours, deadline, true);
  try {
    return await meet(channel, ours, deadline, false);
  } catch (error) {
    if (channel.failure || deadline.reached() || !asksForNewest(error)) throw error;
    return meet(channel, ours, deadline, true);
  }
}

async function meet(channel: Channel, ours: OurSide, deadline: Deadline, newest: boolean): Promise<Session> {
  const { clientInfo, roots } = ours;
  const requests = shareTransport(channel.attach());
  // A hair later than ours: the end of the time is told by our deadline, never by a timer of the SDK.
  const timeout = deadline.left() + 50;
  const capabilities = roots ? { roots: { listChanged: false } } : {};
  const client = new Client(clientInfo, {
    capabilities,
    ...(newest && { versionNegotiation: { mode: { pin: NEWEST }, probe: { timeoutMs: timeout } } }),
  });
  if (roots) client.setRequestHandler('roots/list', () => ({ roots: [...roots] }));
  // The SDK would wait without end for a peer that does not take `notifications/initialized`.
  await withinDeadline(deadline, client.connect(requests.transport, { timeout, signal: deadline.signal }));
  const revision = client.getNegotiatedProtocolVersion() ?? '';
  const envelope = newest ? envelopeOf(revision, clientInfo, capabilities) : undefined;
  return {
    revision,
    serverInfo: client.getServerVersion(),
    instructions: client.getInstructions(),
    hasTools: client.getServerCapabilities()?.tools !== undefined,
    ask: (request) => requests.ask(request, envelope),
  };
}

/** True for a refusal that names the newest revision among those it speaks. */
function asksForNewest(error: unknown): boolean {
  const { code, data } = refusalOf(error) ?? {};
  if (code !== UNSUPPORTED_REVISION || typeof data !== 'object' || data === null) return false;
  return 'supported' in data && Array.isArray(data.supported) && data.supported.includes(NEWEST);
}

/** The JSON-RPC error in a refusal: in the answer itself, or in the body of an HTTP 400. */
function refusalOf(error: unknown): { readonly code?: unknown; readonly data?: unknown } | undefined {
  if (error instanceof ProtocolError) return error;
  const http = error instanceof ConnectionFailure ? error.cause : undefined;
  return http instanceof SdkHttpError && http.status === 400 ? refusalIn(http) : undefined;
}
