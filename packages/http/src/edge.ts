import type { IncomingMessage, ServerResponse } from 'node:http';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { invalidInput, limitBody, malformedBody } from './body.ts';
import type { BodyLimit } from './body.ts';
import type { Client } from './client.ts';
import { addHealth } from './health.ts';
import { knownHosts } from './hosts.ts';
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
  /** Counts work of a request as in flight that goes on when its handler has returned. */
  readonly goesOn?: (outgoing: ServerResponse, work: Promise<unknown>) => void;
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
  /** Where the app's addresses begin, such as `/sveda`: health and readiness are told below it as well. */
  readonly base?: string;
  readonly bodyLimit: BodyLimit;
  /** Names under which the app may be called; one without a port stands for every port. Another Host is answered 421. */
  readonly hosts?: readonly string[];
  /** Runs before a byte of a body is read or its length judged: for credentials that are decided before all else. */
  readonly door?: MiddlewareHandler;
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
 * unknown hosts refused, the app's own door, body limits, every error as a `Problem`, JSON 404 and 405, and `/health`,
 * `/ready`, `/metrics`.
 */
export function edge<V extends object = object>(options: EdgeOptions): OpenAPIHono<EdgeEnv<V>> {
  const app = new OpenAPIHono<EdgeEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidInput(result.error);
    },
  });
  const metrics = edgeMetrics(options.metrics ?? new Registry());
  app.use(observe(options.log, metrics, options.trustedProxies ?? []));
  if (options.hosts !== undefined) app.use(knownHosts(options.hosts));
  if (options.door !== undefined) app.use(options.door);
  app.use(limitBody(options.bodyLimit));
  addHealth(app, options, metrics);
  app.notFound((c) => unmatched(c, app));
  app.onError((error, c) => answer(error, c, options));
  return app as unknown as OpenAPIHono<EdgeEnv<V>>;
}

/** 405 where another method has a route here, else 404. */
function unmatched(c: Context, { router }: Pick<Hono<EdgeEnv>, 'router'>): Response {
  const allow = methods
    .filter((method) => router.match(method, c.req.path)[0].some(([[, route]]) => route.method === method))
    .flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method]))
    .join(', ');
  if (allow === '') return problem(c, 404, 'not_found', 'There is nothing at this address.');
  return problem(c, 405, 'method_not_allowed', `This address takes ${allow}.`, { allow });
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

async function answer(error: Error, c: Context<EdgeEnv>, { explain }: EdgeOptions): Promise<Response> {
  const known =
    error instanceof HttpProblem
      ? error
      : (explain?.(error) ?? fromHono(error) ?? (await malformedBody(c, error)) ?? cutBody(c, error));
  if (known !== undefined)
    return problem(c, known.status, known.error, known.message, known.headers, known.facts);
  c.get('log').error({ err: error }, 'unexpected error');
  return c.json(opaque(c.get('requestId')), 500);
}

/** The client broke off in the middle of its body: nobody's fault here, and nobody is left to read this. */
function cutBody(c: Context<EdgeEnv>, error: Error): HttpProblem | undefined {
  if (error !== c.env?.incoming?.errored) return undefined;
  return new HttpProblem(400, 'invalid_request', 'The body ended early.');
}
