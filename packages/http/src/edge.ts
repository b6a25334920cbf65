import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { invalidInput, limitBody } from './body.ts';
import type { BodyLimit } from './body.ts';
import { addressIn, clientOf } from './client.ts';
import type { Client } from './client.ts';
import { edgeMetrics } from './metrics.ts';
import { HttpProblem, fromHono, opaque, problem } from './problem.ts';
import type { Problem } from './problem.ts';

/** What the listener hands to every request. Absent where a test calls `app.request()` without a socket. */
export interface Bindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  /** Aborted when the listener begins to close: streams must end. */
  readonly closing?: AbortSignal;
}

/** What the edge knows of every request. */
export interface EdgeVariables {
  requestId: string;
  log: Logger;
  client: Client;
}

/** The Hono environment of an edge; apps add their own variables as `V`. */
export interface EdgeEnv<V extends object = object> {
  Bindings: Bindings;
  Variables: EdgeVariables & V;
}

export interface EdgeOptions {
  readonly log: Logger;
  /** The app's name in metrics and health. */
  readonly name: string;
  readonly bodyLimit: BodyLimit;
  /** Names under which the app may be called; one without a port stands for all ports. Another Host is answered 421. */
  readonly hosts?: readonly string[];
  /** Addresses or networks of proxies whose forwarded headers count. None unless given. */
  readonly trustedProxies?: readonly string[];
  /** What keeps the app from serving now; empty when it is ready. */
  readonly ready?: () => Promise<readonly Problem[]>;
  /** Turns an error of the app's own kinds into an answer; undefined leaves it an opaque 500. */
  readonly explain?: (error: unknown) => HttpProblem | undefined;
  /** The registry that `/metrics` shows; its own unless given. */
  readonly metrics?: Registry;
}

/** Headers of every answer that is not a page; an answer's own header of the same name wins. */
export const apiHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * The app that every server of ours starts from: request id, access log without paths or bodies, metrics, body limits,
 * unknown hosts refused, every error as a `Problem`, JSON 404 and 405, `/health`, `/ready` and `/metrics`.
 */
export function edge<V extends object = object>(options: EdgeOptions): OpenAPIHono<EdgeEnv<V>> {
  const app = new OpenAPIHono<EdgeEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidInput(result.error);
    },
  });
  const metrics = edgeMetrics(options.name, options.metrics);
  const readClient = clientOf(addressIn(options.trustedProxies ?? []));

  app.use(async (c, next) => {
    const { incoming, outgoing } = c.env ?? {};
    const requestId = randomUUID();
    c.set('requestId', requestId);
    c.set('log', options.log.child({ requestId }));
    c.set('client', incoming === undefined ? nowhere : readClient(incoming));
    if (outgoing !== undefined)
      for (const [name, value] of Object.entries(apiHeaders)) outgoing.setHeader(name, value);
    outgoing?.setHeader('x-request-id', requestId);
    const started = performance.now();
    metrics.began();
    const finish = (status: number, whole: boolean) => {
      const request = {
        method: c.req.method,
        route: matchedRoutes(c).findLast(({ method }) => method !== 'ALL')?.path ?? 'unmatched',
        status,
        seconds: (performance.now() - started) / 1000,
      };
      metrics.ended(request);
      c.get('log').info({ ...request, ...(whole ? {} : { cut: true }) }, 'request');
    };
    outgoing?.once('close', () => finish(outgoing.statusCode, outgoing.writableFinished));
    await next();
    if (outgoing === undefined) finish(c.res.status, true);
  });
  app.use(limitBody(options.bodyLimit));

  app.get('/health', (c) => c.json({ status: 'ok', name: options.name }));
  app.get('/ready', async (c) => {
    const problems = (await options.ready?.()) ?? [];
    return c.json({ ready: problems.length === 0, problems }, problems.length === 0 ? 200 : 503);
  });
  app.get('/metrics', async (c) =>
    c.text(await metrics.registry.metrics(), 200, { 'content-type': metrics.registry.contentType }),
  );
  app.notFound((c) => problem(c, 404, 'not_found', 'There is nothing at this address.'));
  app.onError((error, c) => answer(error, c, options));
  return app as unknown as OpenAPIHono<EdgeEnv<V>>;
}

const nowhere: Client = { address: '', host: '', scheme: 'http' };

function answer(error: Error, c: Context<EdgeEnv>, { explain }: EdgeOptions): Response {
  const known = error instanceof HttpProblem ? error : (explain?.(error) ?? fromHono(error));
  if (known !== undefined) return problem(c, known.status, known.error, known.message, known.headers);
  c.get('log').error({ err: error }, 'unexpected error');
  return c.json(opaque(c.get('requestId')), 500);
}
