import { parseArgs } from 'node:util';
import { fullPlans, narrowed, quickPlans, type Plans } from './plans.ts';

/** The command line asked for something that does not exist. */
export class Usage extends Error {
  override readonly name = 'Usage';
}

const records = Object.keys(quickPlans) as (keyof Plans)[];
const names = [...new Set(records.flatMap((record) => quickPlans[record].variants))];

export const help = `npm run bench -- [${records.join('|')} …] [--seconds 1.5] [--rounds 5] [--only raw,portolan] [--date 2026-11-30] [--quick]

  --seconds  length of a counted window of the serving; its warm-up is half as long
  --rounds   how often each variant is measured; the least disturbed round is reported
  --only     these variants: ${names.join(', ')}
  --date     stands in the report instead of today's date
  --quick    one tiny round of everything, to see that it works

Makes all records, or the named ones, in docs/generated; with --only or --quick it prints only.`;

/** What the command line asks for. */
export interface Asked {
  /** The records to make. */
  readonly records: readonly (keyof Plans)[];
  readonly plans: Plans;
  /** All variants at full length: worth keeping. */
  readonly keep: boolean;
  readonly date: string | undefined;
}

/** Reads the command line. Throws `Usage`. */
export function readArguments(args: readonly string[]): Asked {
  const { values, positionals } = parsed(args);
  const { seconds, rounds, only, date, quick } = values;
  const wanted = only?.split(',');
  refuse('variant', wanted, names);
  refuse('record', positionals, records);
  if (date !== undefined && !/^\d{4}-\d\d-\d\d$/.test(date)) throw new Usage('--date takes 2026-11-30.');
  const whole = quick ? quickPlans : fullPlans(roundsOf(rounds), secondsOf(seconds));
  const plans = wanted ? narrowed(whole, (name) => wanted.includes(name)) : whole;
  const asked = positionals.length > 0 ? records.filter((record) => positionals.includes(record)) : records;
  const made = asked.filter((record) => plans[record].variants.length > 0);
  return { records: made, plans, keep: !only && !quick, date };
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    seconds: { ...text, default: '1.5' },
    rounds: { ...text, default: '5' },
    only: text,
    date: text,
    quick: { type: 'boolean', default: false },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // Its second sentence explains how to name a file that begins with a hyphen.
    throw new Usage(String(error instanceof Error ? error.message : error).replace(/\. .*/, ''));
  }
}

function refuse(what: string, asked: readonly string[] = [], known: readonly string[]): void {
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Usage(`No ${what} ${unknown.join(', ')}.`);
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
