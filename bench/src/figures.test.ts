import { describe, expect, it } from 'vitest';
import type { Row } from './bench.ts';
import { exercises } from './exercise.ts';
import { best, gaps } from './figures.ts';
import type { Figure } from './measure.ts';
import { gateTable } from './report.ts';

const [call] = exercises;
if (!call) throw new Error('no exercise');

const figure = (cpu: number): Figure => ({ perSecond: 1000, p50: 1, p99: 2, cpu, foreign: 0 });

const row = (variant: string, ...rounds: (number | undefined)[]): Row => ({
  variant,
  says: '',
  exercise: call,
  era: '2025-11-25',
  figures: rounds.map((cpu) => (cpu === undefined ? undefined : figure(cpu))),
  faults: [],
});

describe('figures of several rounds', () => {
  it('takes the round with the least processor time', () => {
    expect(best(row('raw', 40, 31, 55))?.cpu).toBe(31);
    expect(best(row('raw', undefined))).toBeUndefined();
  });

  it('compares ours with the limit, round by round where both have a figure', () => {
    const rows = [row('raw', 30, undefined, 50), row('portolan', 70, 60, 95)];
    expect(gaps(rows, 'portolan')).toMatchObject([{ limit: 30, ours: 60, differences: [40, 45] }]);
    expect(gaps([row('raw', undefined), row('portolan', 60)], 'portolan')).toEqual([]);
  });

  it('says whether ours keeps within 80 µs', () => {
    const lines = (ours: number) =>
      gateTable([row('raw', 30), row('portolan', ours)])
        .split('\n')
        .slice(2);
    expect(lines(110)).toEqual([
      '| portolan | tools/call, 1 tool | 2025-11-25 | 30.0 | 110.0 | 80.0 | 80.0 | yes |',
    ]);
    expect(lines(111)).toEqual([
      '| portolan | tools/call, 1 tool | 2025-11-25 | 30.0 | 111.0 | 81.0 | 81.0 | no |',
    ]);
  });
});
