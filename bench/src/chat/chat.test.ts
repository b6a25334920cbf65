import { describe, expect, it } from 'vitest';
import { quickPlans } from '../plans.ts';
import { benchChat } from './bench.ts';
import { chatReport } from './report.ts';

const words = 'word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11';

describe('the bench of the chat, one tiny round', () => {
  it('reads the whole text from every variant, and has a figure for each', { timeout: 120_000 }, async () => {
    const plan = quickPlans.chat;
    const rows = await benchChat(plan, () => undefined);

    expect(rows.map(({ variant, exercise, figures }) => [variant, exercise.open, figures.length])).toEqual([
      ['provider', 1, 1],
      ['sveda', 1, 1],
      ['ai-sdk', 1, 1],
      ['provider', 3, 1],
      ['sveda', 3, 1],
      ['ai-sdk', 3, 1],
    ]);
    for (const { exercise, figures } of rows) {
      expect(figures[0]?.turns.map(({ text }) => text)).toEqual(Array(2 * exercise.open).fill(words));
      expect(figures[0]?.cpu).toBeGreaterThan(0);
    }
    // A reader cannot have the first text before the provider has begun, nor after the end.
    const turns = rows.flatMap(({ figures }) => figures.flatMap((figure) => figure.turns));
    expect(turns.filter(({ first, whole }) => !(first > 0 && first <= whole))).toEqual([]);
    expect(rows.map(({ figures }) => figures[0]?.databaseCpu !== undefined)).toEqual([
      false,
      true,
      false,
      false,
      true,
      false,
    ]);
    const text = chatReport(rows, plan, occasion);
    expect([...text.matchAll(/^## (.+)$/gm)].map((found) => found[1])).toEqual([
      'One open turn',
      '3 open turns',
      'The variants',
    ]);
    expect(text).not.toContain('NaN');
  });
});

const occasion = { date: '2026-11-30', machine: '2 cores, 24 GB', node: '20.20.2', versions: {} };
