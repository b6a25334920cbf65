import { createMiddleware } from 'hono/factory';
import { HttpProblem, type EdgeEnv } from '@portolan/http';
import { HEADERS } from '@sveda-ai/protocol';
import type { TokenStore, Visitor } from './tokens.ts';

/** What routes of visitors know beside the edge's variables. */
export type VisitorEnv = EdgeEnv<{ visitor: Visitor }>;

/** Lets a request with a live embed token in its header pass. A token in a URL is not looked at. */
export function visitorOnly(tokens: TokenStore, now: () => Date) {
  return createMiddleware<VisitorEnv>(async (c, next) => {
    const visitor = await tokens.visitor(c.req.header(HEADERS.embedToken) ?? '', now());
    if (!visitor)
      throw new HttpProblem(
        401,
        'unauthorized',
        `The ${HEADERS.embedToken} header holds no live embed token.`,
      );
    c.set('visitor', visitor);
    await next();
  });
}
