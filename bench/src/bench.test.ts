import { describe, expect, it } from 'vitest';
import { bench, type Row } from './bench.ts';
import { eras, exercises } from './exercise.ts';
import { quickPlans } from './plans.ts';
import { report } from './report.ts';
import { occasion, titlesOf } from './testing/report.ts';

const echoed = {
  content: [{ type: 'text', text: '{"message":"All hands to the capstan: fair wind from the south-west."}' }],
  structuredContent: { message: 'All hands to the capstan: fair wind from the south-west.' },
  isError: false,
};

describe('the bench, one tiny round of every variant', () => {
  it(
    'gets the same right answers from all of them, and a figure for each',
    { timeout: 300_000 },
    async () => {
      const rows = await bench(quickPlans.serving, () => undefined);

      expect(rows.flatMap(({ faults }) => faults)).toEqual([]);
      expect(rows.filter(({ figures: [figure] }) => !(figure && figure.cpu > 0))).toEqual([]);
      for (const row of rows.filter(({ exercise }) => exercise.operation === 'call')) {
        expect(row.answer?.essence, row.variant).toEqual(echoed);
      }
      const lists = rows.filter(({ exercise }) => exercise.operation === 'list');
      for (const row of lists) {
        expect(namesIn(row), row.variant).toHaveLength(104);
        expect(row.answer?.essence, row.variant).toEqual(lists[0]?.answer?.essence);
      }
      expect(variantsIn(rows, '2025-11-25')).toEqual([
        'raw',
        'raw-preserialised',
        'portolan',
        'portolan-edge',
        'sdk2-tuned',
        'sdk2-documented',
        'sdk1-shared',
        'sdk1-documented',
        'fastmcp',
      ]);
      expect(variantsIn(rows, '2026-07-28')).toEqual([
        'raw',
        'raw-preserialised',
        'portolan',
        'portolan-edge',
        'sdk2-tuned',
        'sdk2-documented',
      ]);
      expect(titlesOf(report(rows, quickPlans.serving, occasion))).toEqual([
        'Above raw node:http',
        ...exercises.flatMap(({ title }) => eras.map((era) => `${title}, ${era}`)),
        'The variants',
      ]);
    },
  );
});

function namesIn({ answer }: Row): string[] {
  const essence = answer?.essence as { name: string }[] | undefined;
  return essence?.map(({ name }) => name) ?? [];
}

function variantsIn(rows: readonly Row[], era: string): string[] {
  const listed = rows.filter((row) => row.era === era && row.exercise.operation === 'list');
  return listed.map(({ variant }) => variant);
}
