import { edge, HttpProblem, type EdgeEnv, type Logger } from '@portolan/http';
import { Refusal } from '@portolan/mcp/tool';
import type { Hono } from 'hono';
import { z } from 'zod';
import type { Configuration } from '../config/schema.ts';
import type { Secret } from '../config/secrets.ts';
import type { Connections } from '../connections/connections.ts';
import type { Ledger } from '../receipts/ledger.ts';
import type { Observation } from '../runtime/observation.ts';
import { operatorGuard, provenOperator } from './guard.ts';
import { MAX_CALL_BODY, mcpRoutes, problemOfServer } from './mcp.ts';

/** What the operator API shows, and to whom. */
export interface OperatorApiOptions {
  readonly token: Secret | undefined;
  /** Names under which the server may be called; any where the token guards it. */
  readonly hosts: readonly string[] | undefined;
  /** The redacted configuration. */
  readonly configuration: Configuration;
  readonly observe: () => Observation;
  readonly ledger: Ledger;
  readonly connections: Connections;
  readonly log: Logger;
}

const MAX_BODY = 64 * 1024;

const ReceiptQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional(),
});

/** The operator's HTTP API, as one fetch handler. */
export function operatorApi(options: OperatorApiOptions): Hono<EdgeEnv> {
  const { token, configuration, observe, ledger, connections, log, hosts } = options;
  const app: Hono<EdgeEnv> = edge({
    name: 'saivage',
    log,
    bodyLimit: (path) => (path.startsWith('/api/mcp/') && path.endsWith('/call') ? MAX_CALL_BODY : MAX_BODY),
    ...(hosts && { hosts }),
    explain: problemOf,
  });
  app.get('/health/ready', (c) => {
    const { ready, servers } = connections.readiness();
    return ready ? c.json({ status: 'ready' }) : c.json({ status: 'not_ready', mcpServers: servers }, 503);
  });
  app.use('/api/*', operatorGuard(token));
  app.get('/api/state', (c) => c.json(observe()));
  app.get('/api/config', (c) => c.json(configuration));
  app.get('/api/external-tool-calls', provenOperator(token), async (c) => {
    const query = ReceiptQuery.safeParse(c.req.query());
    if (!query.success) throw new HttpProblem(400, 'invalid_input', z.prettifyError(query.error));
    return c.json(await ledger.page(query.data));
  });
  app.route('/api/mcp', mcpRoutes(connections, token));
  return app;
}

const statuses = {
  invalid_input: 400,
  not_found: 404,
  forbidden: 403,
  conflict: 409,
  too_many: 429,
  unavailable: 503,
} as const;

function problemOf(error: unknown): HttpProblem | undefined {
  if (!(error instanceof Refusal)) return problemOfServer(error);
  return new HttpProblem(statuses[error.code], error.code, error.message);
}
