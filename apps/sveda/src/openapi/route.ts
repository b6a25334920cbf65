import { Hono } from 'hono';
import type { EdgeEnv } from '@portolan/http';
import { document } from './document.ts';

/** `GET /sveda/openapi.json`: every route below /sveda, from the schemas that judge the requests. */
export function openApiRoute() {
  let made: object | undefined;
  return new Hono<EdgeEnv>().get('/sveda/openapi.json', (c) => c.json((made ??= document())));
}
