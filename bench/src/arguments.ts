import { parseArgs } from 'node:util';
import type { Plan } from './bench.ts';
import { variants } from './variants.ts';

/** The command line asked for something that does not exist. */
export class Usage extends Error {
  override readonly name = 'Usage';
}

export const help = `npm run bench -- [--seconds 1.5] [--rounds 5] [--only raw,portolan] [--date 2026-11-30] [--quick]

  --seconds  length of a counted window; its warm-up is half as long
  --rounds   how often each server is measured; the least disturbed round is reported
  --only     these variants: ${Object.keys(variants).join(', ')}
  --date     stands in the report instead of today's date
  --quick    one tiny round of everything, to see that it works

A run of all variants writes docs/generated/bench.md; with --only or --quick it prints only.`;

/** What the command line asks for. */
export interface Asked {
  readonly plan: Plan;
  /** All variants at full length: worth keeping. */
  readonly keep: boolean;
  readonly date: string | undefined;
}

/** One tiny round of everything: shows that each variant runs and answers, measures nothing. */
export const quickPlan: Plan = {
  variants: Object.keys(variants),
  rounds: 1,
  effort: { connections: 2, warmUp: 0, window: 0.1 },
};

/** Reads the command line. Throws `Usage`. */
export function readArguments(args: readonly string[]): Asked {
  const { seconds, rounds, only, date, quick } = valuesOf(args);
  const names = only?.split(',');
  const unknown = names?.filter((name) => !Object.hasOwn(variants, name)) ?? [];
  if (unknown.length > 0) throw new Usage(`No variant ${unknown.join(', ')}.`);
  if (date !== undefined && !/^\d{4}-\d\d-\d\d$/.test(date)) throw new Usage('--date takes 2026-11-30.');
  const chosen = names ?? Object.keys(variants);
  if (quick) return { plan: { ...quickPlan, variants: chosen }, keep: false, date };
  const window = secondsOf(seconds);
  const effort = { connections: 32, warmUp: window / 2, window };
  return {
    plan: { variants: chosen, rounds: roundsOf(rounds), effort },
    keep: !only,
    date,
  };
}

function valuesOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    seconds: { ...text, default: '1.5' },
    rounds: { ...text, default: '5' },
    only: text,
    date: text,
    quick: { type: 'boolean', default: false },
  } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new Usage(error instanceof Error ? error.message : String(error));
  }
}

function roundsOf(text: string): number {
  const rounds = Number(text);
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= 20) return rounds;
  throw new Usage('--rounds takes a whole number from 1 to 20.');
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (seconds >= 0.1 && seconds <= 60) return seconds;
  throw new Usage('--seconds takes a number from 0.1 to 60.');
}
