import type { OpenAPIHono } from '@hono/zod-openapi';
import { addressIn } from './client.ts';
import type { EdgeEnv, EdgeOptions } from './edge.ts';
import { metricsType } from './metrics.ts';
import type { EdgeMetrics } from './metrics.ts';
import { problem } from './problem.ts';

/**
 * `/health`: the process answers. `/ready`: 200, or 503 with what is missing. `/metrics`: for this machine and the
 * configured scrapers, 404 for others and for whomever a proxy brings.
 */
export function addHealth(
  app: OpenAPIHono<EdgeEnv>,
  { name, base, ready, scrapers = [] }: EdgeOptions,
  metrics: EdgeMetrics,
): void {
  const mayScrape = addressIn(['127.0.0.0/8', '::1', ...scrapers]);
  for (const at of base === undefined ? [''] : ['', base]) {
    app.get(`${at}/health`, (c) => c.json({ status: 'ok', name }));
    app.get(`${at}/ready`, async (c) => {
      const problems = (await ready?.()) ?? [];
      return c.json({ ready: problems.length === 0, problems }, problems.length === 0 ? 200 : 503);
    });
  }
  app.get('/metrics', async (c) => {
    const { address, forwarded } = c.get('client');
    if (forwarded || !mayScrape(address))
      return problem(c, 404, 'not_found', 'There is nothing at this address.');
    return c.text(await metrics.text(), 200, { 'content-type': metricsType });
  });
}
