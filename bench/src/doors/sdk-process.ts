import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import {
  createMcpHandler,
  requireBearerAuth,
  Server,
  type AuthInfo,
  type Tool,
} from '@modelcontextprotocol/server';
import { Pool } from 'pg';

/** What the peer is told. */
export interface PeerOrder {
  readonly databaseUrl: string;
  /** The audience of its tokens. */
  readonly audience: string;
  /** What it lists, and what it answers to every call: those of the site, so that both say the same. */
  readonly tools: Tool[];
  readonly answer: Record<string, unknown>;
}

/** What the peer says when it listens. */
export interface PeerReady {
  readonly url: string;
}

process.on('disconnect', () => process.exit(0));
const [{ databaseUrl, audience, tools, answer }] = (await once(process, 'message')) as [PeerOrder];
const pool = new Pool({ connectionString: databaseUrl, options: '-c search_path=mervare' });
const gate = requireBearerAuth({ verifier: { verifyAccessToken }, expectedResource: new URL(audience) });
const handler = createMcpHandler(lowLevel, { responseMode: 'json' });
const server = createAdaptorServer({ fetch: serve });
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
process.send?.({ url: `http://127.0.0.1:${port}/mcp` } satisfies PeerReady);

/** The SDK's middleware before the SDK's handler, as documented, with the body parsed once. */
async function serve(request: Request): Promise<Response> {
  const authInfo = await gate(request);
  if (authInfo instanceof Response) return authInfo;
  return handler.fetch(request, { parsedBody: await request.json(), authInfo });
}

/** One prepared statement, found by the primary key: as little as a check of stored tokens can ask. */
async function verifyAccessToken(token: string): Promise<AuthInfo> {
  const { rows } = await pool.query<Row>({
    name: 'token',
    text: `select client_id, scopes, audience, token.expires_at from oauth_access_token token
      join person on person.id = token.person_id
      where token_hash = $1 and revoked_at is null and disabled_at is null`,
    values: [createHash('sha256').update(token).digest()],
  });
  const [row] = rows;
  if (!row) throw new Error('no such token');
  const { client_id: clientId, scopes, expires_at: ends } = row;
  return { token, clientId, scopes, expiresAt: ends.getTime() / 1000, resource: new URL(row.audience) };
}

interface Row {
  readonly client_id: string;
  readonly scopes: string[];
  readonly audience: string;
  readonly expires_at: Date;
}

function lowLevel(): Server {
  const offered = new Server({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: {} } });
  offered.setRequestHandler('tools/list', () => ({ tools }));
  offered.setRequestHandler('tools/call', () => ({
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    structuredContent: answer,
  }));
  return offered;
}
