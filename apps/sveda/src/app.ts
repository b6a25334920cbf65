import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { edge, HttpProblem, type Logger, type ThrottleStore } from '@portolan/http';
import { HEADERS } from '@sveda-ai/protocol';
import type { Kysely } from 'kysely';
import { adminRoutes } from './admin/routes.ts';
import { chatRoutes } from './chats/routes.ts';
import type { Live } from './config/live.ts';
import { databaseOutage } from './database-outage.ts';
import { createExtract } from './documents/extract.ts';
import { LIMITS } from './documents/limits.ts';
import { documentRoutes } from './documents/routes.ts';
import { embedConfigRoute } from './embed/config.ts';
import { embedRoutes, type EmbedOptions } from './embed/routes.ts';
import { visitorOnly, type VisitorEnv } from './embed/visitor.ts';
import { visitorLimits } from './limits/visitor-limits.ts';
import { messageRoutes } from './message/routes.ts';
import { openApiRoute } from './openapi/route.ts';
import type { Visitor } from './embed/tokens.ts';
import type { Tables } from './tables.ts';
import { documentsOf } from './tools/policy.ts';
import type { TurnOptions } from './turn/begin.ts';
import { turnRoutes } from './turn/routes.ts';

/** Everything that the server is made of. */
export interface AppOptions {
  readonly db: Kysely<Tables>;
  readonly live: Live;
  readonly adminKey: string | undefined;
  readonly embed: EmbedOptions;
  /** Proxies whose word about the client counts. */
  readonly trustedProxies: readonly string[];
  /** Which builtin tools there are at all. */
  readonly builtin: () => { readonly web: boolean; readonly code: boolean };
  readonly turns: TurnOptions;
  /** Where several nodes count together. */
  readonly throttles: ThrottleStore | undefined;
  readonly log: Logger;
}

/** Bytes of a request body: images in a message, and files whose text is read, are the largest things that come in. */
const MESSAGE_BODY = 48 * 1024 * 1024;
const FILES_BODY = LIMITS.files * LIMITS.file + 64 * 1024;
const OTHER_BODY = 64 * 1024;

const largeBodies: Readonly<Record<string, number>> = {
  '/sveda/stream': MESSAGE_BODY,
  '/sveda/message': MESSAGE_BODY,
  '/sveda/documents/extract': FILES_BODY,
};

/** The whole server on one fetch handler. */
export function createApp({
  db,
  live,
  adminKey,
  embed,
  trustedProxies,
  builtin,
  turns,
  throttles,
  log,
}: AppOptions) {
  const app = edge({
    name: 'sveda',
    base: '/sveda',
    log,
    trustedProxies,
    bodyLimit: (path) => largeBodies[path] ?? OTHER_BODY,
    door: allowOrigins(() => live.current().configuration.cors.origins),
    ready: () => databaseFaults(db),
    explain: databaseOutage,
  });
  app.route('/', embedRoutes(embed));
  app.route('/', adminRoutes({ db, adminKey, live, throttles, now: embed.now }));
  app.route('/', openApiRoute());
  app.route('/', visitorRoutes({ db, live, embed, builtin, turns, throttles }));
  return app;
}

/** What visitors may ask for; the last stands for `/sveda/chats` itself, too. */
const visitorPaths = [
  '/sveda/stream',
  '/sveda/message',
  '/sveda/documents/extract',
  '/sveda/embed/config',
  '/sveda/chats/*',
];

/** Everything behind an embed token. */
function visitorRoutes({
  db,
  live,
  embed: { tokens, now },
  builtin,
  turns,
  throttles,
}: Omit<AppOptions, 'adminKey' | 'trustedProxies' | 'log'>) {
  const configuration = () => live.current().configuration;
  const routes = new Hono<VisitorEnv>();
  for (const path of visitorPaths) {
    routes.use(path, visitorOnly(tokens, now));
    routes.use(path, async (c, next) => {
      const { policy } = c.get('visitor');
      if (policy !== undefined && !Object.hasOwn(configuration().policies, policy))
        throw new HttpProblem(403, 'policy_gone', 'The policy of this token is no longer there.');
      await next();
    });
  }
  routes.route(
    '/',
    visitorLimits(() => configuration().limits, throttles),
  );
  const documents = (visitor: Visitor) => documentsOf(visitor, configuration().policies);
  routes.route('/', embedConfigRoute({ documents, has: builtin, models: turns.models }));
  routes.route('/', turnRoutes(turns));
  routes.route('/', messageRoutes(turns));
  routes.route('/', documentRoutes(createExtract()));
  routes.route('/', chatRoutes(db));
  return routes;
}

function allowOrigins(origins: () => readonly string[]) {
  return cors({
    origin: (origin) => (origins().includes(origin) ? origin : null),
    allowMethods: ['GET', 'POST', 'PATCH', 'DELETE'],
    allowHeaders: ['content-type', 'last-event-id', HEADERS.embedToken],
    exposeHeaders: [HEADERS.protocolVersion, 'retry-after', 'x-request-id'],
    maxAge: 600,
  });
}

async function databaseFaults(db: Kysely<Tables>) {
  try {
    await db.selectFrom('chat').select('id').limit(1).execute();
    return [];
  } catch {
    return [{ error: 'database', message: 'The database does not answer.' }];
  }
}
