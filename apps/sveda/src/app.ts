import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { edge, HttpProblem, throttle, type Logger } from '@portolan/http';
import { HEADERS } from '@sveda-ai/protocol';
import type { Kysely } from 'kysely';
import { chatRoutes } from './chats/routes.ts';
import type { Configuration } from './config/schema.ts';
import { embedRoutes, type EmbedOptions } from './embed/routes.ts';
import { visitorOnly, type VisitorEnv } from './embed/visitor.ts';
import type { Tables } from './tables.ts';
import type { TurnOptions } from './turn/begin.ts';
import { turnRoutes } from './turn/routes.ts';

/** Everything that the server is made of. */
export interface AppOptions {
  readonly db: Kysely<Tables>;
  readonly configuration: Configuration;
  readonly embed: EmbedOptions;
  readonly turns: TurnOptions;
  readonly log: Logger;
}

/** Bytes of a request body: images in a message are the largest thing that comes in. */
const STREAM_BODY = 48 * 1024 * 1024;
const OTHER_BODY = 64 * 1024;

/** The whole server on one fetch handler. */
export function createApp({ db, configuration, embed, turns, log }: AppOptions) {
  const app = edge({
    name: 'sveda',
    log,
    bodyLimit: (path) => (path === '/sveda/stream' ? STREAM_BODY : OTHER_BODY),
    ready: () => databaseFaults(db),
  });
  app.use('/sveda/*', allowOrigins(configuration.cors.origins));
  app.route('/', embedRoutes(embed));
  app.route('/', visitorRoutes(db, configuration, embed, turns));
  return app;
}

function visitorRoutes(
  db: Kysely<Tables>,
  { policies, limits }: Configuration,
  { tokens, now }: EmbedOptions,
  turns: TurnOptions,
) {
  const posts = throttle<VisitorEnv>({
    name: 'stream',
    points: limits.postsPerMinute,
    perSeconds: 60,
    key: (c) => c.get('visitor').visitor,
  });
  const routes = new Hono<VisitorEnv>();
  // The second stands for `/sveda/chats` itself, too.
  for (const path of ['/sveda/stream', '/sveda/chats/*']) {
    routes.use(path, visitorOnly(tokens, now));
    routes.use(path, async (c, next) => {
      const { policy } = c.get('visitor');
      if (policy !== undefined && !Object.hasOwn(policies, policy))
        throw new HttpProblem(403, 'policy_gone', 'The policy of this token is no longer there.');
      await next();
    });
  }
  routes.use('/sveda/stream', posts);
  routes.route('/', turnRoutes(turns));
  routes.route('/', chatRoutes(db));
  return routes;
}

function allowOrigins(origins: readonly string[]) {
  return cors({
    origin: (origin) => (origins.includes(origin) ? origin : null),
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
