import { HttpProblem, type EdgeEnv } from '@portolan/http';
import type { MiddlewareHandler } from 'hono';
import type { Secret } from '../config/secrets.ts';

/**
 * Lets in who presents the API token. Where none is configured (the server is then on loopback only), a request
 * without a credential passes; one with any credential never does, least of all with the Analyst's.
 */
export function operatorGuard(token: Secret | undefined): MiddlewareHandler<EdgeEnv> {
  return async (c, next) => {
    const header = c.req.header('authorization');
    const passes = header === undefined ? token === undefined : opens(token, header);
    if (!passes) throw unauthorized('The operator API wants its token as a bearer.');
    return next();
  };
}

/** For routes that are closed where no API token is configured. */
export function provenOperator(token: Secret | undefined): MiddlewareHandler<EdgeEnv> {
  return async (_, next) => {
    if (!token) throw unauthorized('This needs SAIVAGE_API_TOKEN to be set when the server starts.');
    return next();
  };
}

function opens(token: Secret | undefined, header: string): boolean {
  const presented = /^bearer ([\x21-\x7e]+)$/i.exec(header)?.[1];
  return token !== undefined && presented !== undefined && token.matches(presented);
}

function unauthorized(message: string): HttpProblem {
  return new HttpProblem(401, 'unauthorized', message, { 'www-authenticate': 'Bearer' });
}
