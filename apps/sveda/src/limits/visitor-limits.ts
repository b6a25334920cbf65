import { Hono } from 'hono';
import { byAddress, type ThrottleOptions, type ThrottleStore } from '@portolan/http';
import type { Configuration } from '../config/schema.ts';
import type { VisitorEnv } from '../embed/visitor.ts';
import { createOccupancy, occupy } from './occupancy.ts';
import { perMinute } from './per-minute.ts';

type Limits = Configuration['limits'];

/** What visitors may do in a minute and at once. `store` is where several nodes count together. */
export function visitorLimits(limits: () => Limits, store: ThrottleStore | undefined): Hono<VisitorEnv> {
  const open = occupy(createOccupancy(), () => ({
    ofOne: limits().streamsOfVisitor,
    inAll: limits().streamsOfNode,
  }));
  const ofVisitor: ThrottleOptions<VisitorEnv>['key'] = (c) => c.get('visitor').visitor;

  const routes = new Hono<VisitorEnv>();
  for (const path of ['/sveda/stream', '/sveda/message']) {
    routes.use(
      path,
      perMinute('posts', () => limits().postsPerMinute, ofVisitor, store),
      perMinute('posts-address', () => limits().postsPerMinuteFromAddress, byAddress, store),
      perMinute(
        'posts-node',
        () => limits().postsPerMinuteOfNode,
        () => 'all',
        undefined,
      ),
      open,
    );
  }
  routes.use('/sveda/chats/:chatId/turns/:turnId/events', open);
  routes.use(
    '/sveda/documents/extract',
    perMinute('extract', () => limits().extractionsPerMinute, ofVisitor, store),
  );
  return routes;
}
