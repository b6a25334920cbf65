import { describe, expect, it } from 'vitest';
import { quickPlans } from '../plans.ts';
import { benchConnections } from './bench.ts';
import { connectionsReport } from './report.ts';
import { occasion, titlesOf } from '../testing/report.ts';

describe('the bench of connections, one tiny round', () => {
  it('gets the right answers by every way, and has a figure for each', { timeout: 300_000 }, async () => {
    const plan = quickPlans.connections;
    const figures = await benchConnections(plan, () => undefined);

    const shape = figures.calls.map(({ variant, over, latencies }) => [over, variant, latencies.length]);
    expect(shape).toEqual([
      ['stdio', 'sdk2-client', 3],
      ['stdio', 'saivage', 3],
      ['stdio', 'mcp-hub', 3],
      ['stdio', 'mcp-proxy', 3],
      ['stdio', 'supergateway', 3],
      ['http', 'sdk2-client', 3],
      ['http', 'saivage', 3],
      ['http', 'mcp-hub', 3],
      ['http', 'supergateway', 3],
    ]);
    expect(figures.holders.map(({ variant, rounds }) => [variant, rounds.map((one) => one.rounds)])).toEqual([
      ['sdk2-client', [1, 2]],
      ['saivage', [1, 2]],
    ]);
    const text = connectionsReport(figures, plan, occasion);
    expect(titlesOf(text)).toEqual([
      'Echo of the reference server over stdio',
      'Echo of the reference server over Streamable HTTP',
      '2 servers started at once',
      '2 rounds of start, call and stop',
      'The ways',
    ]);
    expect(text).not.toContain('NaN');
  });
});
