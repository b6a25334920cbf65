import { describe, expect, it } from 'vitest';
import { quickPlan, readArguments, Usage } from './arguments.ts';

describe('the command line of the bench', () => {
  it('measures everything for the record unless told otherwise', () => {
    const { plan, keep, date } = readArguments([]);
    expect({ keep, date }).toEqual({ keep: true, date: undefined });
    expect(plan).toMatchObject({
      rounds: 5,
      variants: quickPlan.variants,
      effort: { connections: 32, warmUp: 0.75, window: 1.5 },
    });
  });

  it('keeps no record of a part or of a quick run', () => {
    const part = readArguments(['--only', 'raw,portolan', '--seconds', '3', '--rounds', '2']);
    expect(part).toMatchObject({
      keep: false,
      plan: { variants: ['raw', 'portolan'], rounds: 2, effort: { warmUp: 1.5, window: 3 } },
    });
    expect(readArguments(['--quick'])).toMatchObject({ keep: false, plan: quickPlan });
  });

  it.each([
    [['--only', 'raw,toString'], 'No variant toString.'],
    [['--rounds', '0'], '--rounds takes a whole number from 1 to 20.'],
    [['--rounds', '1.5'], '--rounds takes a whole number from 1 to 20.'],
    [['--seconds', '61'], '--seconds takes a number from 0.1 to 60.'],
    [['--seconds', 'long'], '--seconds takes a number from 0.1 to 60.'],
    [['--date', 'today'], '--date takes 2026-11-30.'],
    [['--fast'], "Unknown option '--fast'"],
  ])('refuses %j', (args, message) => {
    expect(() => readArguments(args)).toThrow(new Usage(message));
  });
});
