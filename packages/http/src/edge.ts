import type { IncomingMessage, ServerResponse } from 'node:http';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { invalidInput, limitBody } from './body.ts';
import type { BodyLimit } from './body.ts';
import type { Client } from './client.ts';
import { apiHeaders, knownHosts } from './head.ts';
import { addHealth } from './health.ts';
import { edgeMetrics } from './metrics.ts';
import { observe } from './observe.ts';
import { HttpProblem, fromHono, opaque, problem } from './problem.ts';
import type { Problem } from './problem.ts';

/** What the listener hands over with a request; empty where a test calls `app.request()` without a socket. */
export interface Bindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  /** Aborted when the listener begins to close: streams must end. */
  readonly closing?: AbortSignal;
}

/** What the edge knows of every request. */
export interface EdgeVariables {
  /** Made here, sent back as `x-request-id`, named in the log and as the reference of an unexpected error. */
  requestId: string;
  /** Writes the request id with every line. */
  log: Logger;
  client: Client;
}

/** The Hono environment of an edge, with the app's own variables `V`. */
export interface EdgeEnv<V extends object = object> {
  Bindings: Bindings;
  Variables: EdgeVariables & V;
}

export interface EdgeOptions {
  readonly log: Logger;
  /** The app's name, as `/health` says it. */
  readonly name: string;
  readonly bodyLimit: BodyLimit;
  /** Names under which the app may be called; one without a port stands for every port. Another Host is answered 421. */
  readonly hosts?: readonly string[];
  /** Addresses or networks (`10.0.0.0/8`) of proxies whose forwarded headers count; none unless given. */
  readonly trustedProxies?: readonly string[];
  /** Addresses or networks that may read `/metrics` beside this machine. */
  readonly scrapers?: readonly string[];
  /** What keeps the app from serving now; empty when it is ready. */
  readonly ready?: () => Promise<readonly Problem[]>;
  /** Answers for the app's own kinds of error; undefined leaves an error to the opaque 500. */
  readonly explain?: (error: unknown) => HttpProblem | undefined;
  /** What `/metrics` shows beside the edge's own measures. */
  readonly metrics?: Registry;
}

/**
 * The app that every server of ours begins with: request id, one log line and one measure a request, constant API headers,
 * unknown hosts refused, body limits, every error as a `Problem`, JSON 404 and 405, and `/health`, `/ready`, `/metrics`.
 */
export function edge<V extends object = object>(options: EdgeOptions): OpenAPIHono<EdgeEnv<V>> {
  const app = new OpenAPIHono<EdgeEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidInput(result.error);
    },
  });
  const metrics = edgeMetrics(options.metrics ?? new Registry());
  app.use(observe(options.log, metrics, options.trustedProxies ?? []));
  app.use(apiHeaders());
  app.use(errorsOnly());
  app.use(methodNotAllowed({ app, onMethodNotAllowed: otherMethod }));
  if (options.hosts !== undefined) app.use(knownHosts(options.hosts));
  app.use(limitBody(options.bodyLimit));
  addHealth(app, options, metrics);
  app.notFound((c) => problem(c, 404, 'not_found', 'There is nothing at this address.'));
  app.onError((error, c) => answer(error, c, options));
  return app as unknown as OpenAPIHono<EdgeEnv<V>>;
}

/** Hono's error handler sees errors only; a thrown value of another kind is made one. */
function errorsOnly(): MiddlewareHandler {
  return async (_, next) => {
    try {
      await next();
    } catch (thrown) {
      throw new Error('A value that is no error was thrown', { cause: thrown });
    }
  };
}

function otherMethod(c: Context, allowed: string[]): Response {
  const allow = allowed.join(', ');
  return problem(c, 405, 'method_not_allowed', `This address takes ${allow}.`, { allow });
}

function answer(error: Error, c: Context<EdgeEnv>, { explain }: EdgeOptions): Response {
  const known = error instanceof HttpProblem ? error : (explain?.(error) ?? fromHono(error));
  if (known !== undefined) return problem(c, known.status, known.error, known.message, known.headers);
  // The client broke off in the middle of its body: nobody is left to be answered.
  if (error === c.env?.incoming?.errored) return problem(c, 400, 'cut', 'The body ended early.');
  c.get('log').error({ err: error }, 'unexpected error');
  return c.json(opaque(c.get('requestId')), 500);
}
