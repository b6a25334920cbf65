import { describe, expect, it } from 'vitest';
import { quickPlans } from '../plans.ts';
import { benchDoors } from './bench.ts';
import { doorsReport, gateTable } from './report.ts';
import { subjects } from './subjects.ts';
import { occasion, titlesOf } from '../testing/report.ts';

const each = [
  'harbour_get: open, authorised',
  'harbour_search: open, authorised',
  'tools/list, the harbours: open, authorised',
  'survey_capabilities: authorised, sdk2',
  'tools/list, an administrator’s: authorised, sdk2',
  'agent_run_record, which writes: authorised',
];

describe('the bench of the doors, one tiny round', () => {
  it('gets good answers at every side, and a figure for each', { timeout: 180_000 }, async () => {
    const plan = quickPlans.doors;
    const rows = await benchDoors(plan, () => undefined);

    for (const grants of plan.grants) {
      const those = rows.filter((row) => row.grants === grants);
      const titles = [...new Set(those.map(({ subject }) => subject.title))];
      const sidesOf = (title: string) =>
        those.filter(({ subject }) => subject.title === title).map(({ side }) => side);
      expect(titles.map((title) => `${title}: ${sidesOf(title).join(', ')}`)).toEqual(each);
    }
    for (const { figures, subject } of rows) {
      expect(
        figures.map(({ cpu, p50 }) => cpu > 0 && p50 > 0),
        subject.title,
      ).toEqual([true]);
    }
    const text = doorsReport(rows, plan, occasion);
    expect(titlesOf(text)).toEqual([
      'Above the open door',
      '2 stored grants',
      '20 stored grants',
      'The sides',
    ]);
    expect(text).not.toContain('NaN');
  });
});

describe('what the authorised door costs above the open one', () => {
  it('is the median of the differences of neighbours, whatever the machine did between them', () => {
    const [subject] = subjects;
    if (!subject) throw new Error('Nothing is asked.');
    const row = (side: 'open' | 'authorised', above: readonly number[]) => ({
      subject,
      side,
      grants: 2,
      bytes: 100,
      figures: [100, 900, 200, 400, 300].map((drift, turn) => ({
        p50: (drift + (above[turn] ?? 0)) / 1000,
        cpu: drift + (above[turn] ?? 0),
        databaseCpu: 0,
        perSecond: 1,
        foreign: 0,
      })),
    });
    const table = gateTable([row('open', [0, 0, 0, 0, 0]), row('authorised', [70, 500, 60, 81, 90])]);
    expect(table.split('\n').at(-1)).toBe(
      '| harbour_get | 2 | 300.0 | 390.0 | 81.0 | 70.0 to 90.0 | no | 0.30 | 0.39 | 0.08 | 0.07 to 0.09 | yes |',
    );
  });
});
