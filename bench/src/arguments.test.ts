import { describe, expect, it } from 'vitest';
import { readArguments, Usage } from './arguments.ts';
import { quickPlans } from './plans.ts';

describe('the command line of the bench', () => {
  it('measures everything for the record unless told otherwise', () => {
    const { plans, ...rest } = readArguments([]);
    expect(rest).toEqual({
      records: ['serving', 'chat', 'stdio', 'connections', 'doors'],
      keep: true,
      date: undefined,
    });
    expect(plans.serving).toMatchObject({
      rounds: 5,
      variants: quickPlans.serving.variants,
      effort: { connections: 32, warmUp: 0.75, window: 1.5 },
    });
    expect(plans.chat).toMatchObject({ rounds: 2, tokens: 60, variants: ['provider', 'sveda', 'ai-sdk'] });
    expect(plans.stdio).toMatchObject({ rounds: 5, variants: ['sdk2-client', 'connect'] });
    expect(plans.doors).toMatchObject({ rounds: 5, grants: [2, 1000, 100_000], crowd: { connections: 16 } });
  });

  it('keeps no record of a part or of a quick run', () => {
    const part = readArguments(['--only', 'raw,portolan', '--seconds', '3', '--rounds', '2']);
    expect(part).toMatchObject({
      records: ['serving'],
      keep: false,
      plans: { serving: { variants: ['raw', 'portolan'], rounds: 2, effort: { warmUp: 1.5, window: 3 } } },
    });
    expect(readArguments(['--quick'])).toMatchObject({ keep: false, plans: quickPlans });
  });

  it('keeps a named record, and makes a part of several', () => {
    expect(readArguments(['stdio', 'chat'])).toMatchObject({ records: ['chat', 'stdio'], keep: true });
    expect(readArguments(['--only', 'sveda,connect'])).toMatchObject({
      records: ['chat', 'stdio'],
      keep: false,
      plans: { chat: { variants: ['sveda'] }, stdio: { variants: ['connect'] } },
    });
  });

  it.each([
    [['--only', 'raw,toString'], 'No variant toString.'],
    [['chats'], 'No record chats.'],
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
