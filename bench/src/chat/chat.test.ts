import { describe, expect, it } from 'vitest';
import { quickPlans } from '../plans.ts';
import { benchChat } from './bench.ts';
import { chatReport } from './report.ts';
import { occasion, titlesOf } from '../testing/report.ts';

const words = 'word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11';

describe('the bench of the chat, one tiny round', () => {
  it('reads the whole text from every variant, and has a figure for each', { timeout: 300_000 }, async () => {
    const plan = quickPlans.chat;
    const { rows, cuts } = await benchChat(plan, () => undefined);

    expect(rows.map(({ variant, exercise, figures }) => [variant, exercise.open, figures.length])).toEqual([
      ['provider', 1, 1],
      ['sveda', 1, 1],
      ['ai-sdk', 1, 1],
      ['provider', 5, 1],
      ['sveda', 5, 1],
      ['ai-sdk', 5, 1],
    ]);
    for (const { exercise, figures } of rows) {
      expect(figures[0]?.turns.map(({ text }) => text)).toEqual(Array(2 * exercise.streaming).fill(words));
      expect(figures[0]?.cpu).toBeGreaterThan(0);
    }
    // No word arrives before it was sent, and the first text not after the end.
    const turns = rows.flatMap(({ figures }) => figures.flatMap((figure) => figure.turns));
    expect(turns.filter(({ first, whole }) => !(first > 0 && first <= whole))).toEqual([]);
    expect(turns.filter(({ delays }) => delays.length !== 12 || Math.min(...delays) < 0)).toEqual([]);
    const known = rows.map(({ figures: [figure] }) => [
      figure?.databaseCpu !== undefined,
      figure?.idle !== undefined,
    ]);
    expect(known).toEqual([
      [false, false],
      [true, false],
      [false, false],
      [false, false],
      [true, true],
      [false, true],
    ]);
    expect(cuts.map((one) => [one.variant, one.cuts.lost, one.cuts.doubled])).toEqual([['sveda', 0, 0]]);
    expect([...new Set(cuts.flatMap((one) => one.cuts.texts))]).toEqual([words]);
    expect(cuts[0]?.cuts.cuts).toBeGreaterThanOrEqual(plan.cuts.turns * plan.cuts.each);
    const text = chatReport({ rows, cuts }, plan, occasion);
    expect(titlesOf(text)).toEqual([
      'One open turn',
      '5 open turns of which 3 stream',
      'Idle turns',
      'Streams that are cut',
      'The variants',
    ]);
    expect(text).not.toContain('NaN');
  });
});
