import { describe, expect, it } from 'vitest';
import { quickPlans } from '../plans.ts';
import { benchStdio } from './bench.ts';
import { stdioReport } from './report.ts';
import { occasion, titlesOf } from '../testing/report.ts';

describe('the bench of calls over stdio, one tiny round', () => {
  it(
    'gets the right answers through both clients, and has a figure for each',
    { timeout: 120_000 },
    async () => {
      const plan = quickPlans.stdio;
      const rows = await benchStdio(plan, () => undefined);

      const shape = rows.map(({ variant, what, figures }) => [variant, what, figures[0]?.latencies.length]);
      expect(shape).toEqual([
        ['sdk2-client', 'echo', 3],
        ['connect', 'echo', 3],
        ['sdk2-client', 'big', 1],
        ['connect', 'big', 1],
      ]);
      expect(rows.filter(({ figures: [figure] }) => !(figure && figure.cpu > 0))).toEqual([]);
      const text = stdioReport(rows, plan, occasion);
      expect(titlesOf(text)).toEqual([
        'Echo of the reference server',
        'A result of 9 MiB on one line',
        'The clients',
      ]);
      expect(text).not.toContain('NaN');
    },
  );
});
