import { randomInt, randomUUID } from 'node:crypto';
import type { ChildProcess } from 'node:child_process';
import { isForbidden, readProc, readStat } from '../proc.ts';
import { survey, type Survey } from '../survey.ts';

/** Marks by which the processes of one scope are found, wherever they went. */
export interface Marks {
  readonly environment: Readonly<Record<string, string>>;
  /** Sets the limits and becomes the command that follows. */
  readonly prefix: readonly string[];
  /** From now on the session that this process leads is a mark as well while it lives; older processes are not ours. */
  follow(leader: ChildProcess): void;
  look(): Survey;
}

/** Variable that marks the processes of a scope. Its value is no secret. */
const VARIABLE = 'PORTOLAN_SCOPE';

/** Two resource limits that programs hardly ever use and children inherit: their names in prlimit(1) and proc(5). */
const LIMITS = [
  { option: '--sigpending', row: 'Max pending signals', most: 65_536 },
  { option: '--msgqueue', row: 'Max msgqueue size', most: 819_200 },
] as const;

/** A limit below this leaves too few values to choose a rare one from. */
const LEAST_LIMIT = 1_000;

/** Why limits cannot serve as a mark here, in a sentence; undefined when they can. */
export function faultOfLimits(): string | undefined {
  const own = readProc('self', 'limits') ?? '';
  const low = LIMITS.find(({ row }) => hardLimit(own, row) < LEAST_LIMIT);
  return low && `the limit "${low.row}" is too low to mark processes with it`;
}

/**
 * Three marks: a variable of the environment, a pair of limits that nobody else has, and the session. Whoever was
 * found once stays known. Only a process that has shed all three before it is first looked for can hide.
 */
export function newMarks(prlimit: string): Marks {
  const token = `${VARIABLE}=${randomUUID()}`;
  const own = readProc('self', 'limits') ?? '';
  const limits = LIMITS.map(({ option, row, most }) => ({
    option,
    row,
    value: below(hardLimit(own, row), most),
  }));
  const known = new Map<number, number>();
  let leader: ChildProcess | undefined;
  let begin = 0;

  const isLimited = (pid: number) => {
    const table = readProc(pid, 'limits') ?? '';
    return limits.every(({ row, value }) => hardLimit(table, row) === value);
  };

  const isMarked = (pid: number, session: number) =>
    (leader !== undefined && session === leader.pid && lives(leader)) ||
    isLimited(pid) ||
    environmentOf(pid).includes(token);

  const belongs = (pid: number) => {
    const stat = readStat(pid);
    if (!stat || stat.zombie || stat.startTime < begin) return false;
    if (known.get(pid) === stat.startTime) return true;
    if (!isMarked(pid, stat.session)) return false;
    known.set(pid, stat.startTime);
    return true;
  };

  return {
    environment: { [VARIABLE]: token.slice(VARIABLE.length + 1) },
    prefix: [prlimit, ...limits.map(({ option, value }) => `${option}=${value}:${value}`)],
    follow(wrapper) {
      if (leader) return;
      leader = wrapper;
      begin = readStat(wrapper.pid ?? 0)?.startTime ?? 0;
    },
    look: () => survey(belongs),
  };
}

function lives({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** A random value in the upper half of what the limit allows: rare, and still ample. */
function below(hard: number, most: number): number {
  const top = Math.min(hard, most);
  return randomInt(Math.ceil(top / 2), top + 1);
}

/** The hard limit in one row of a table of limits. */
function hardLimit(table: string, row: string): number {
  const line = table.split('\n').find((entry) => entry.startsWith(row));
  const hard = line?.slice(row.length).trim().split(/\s+/)[1];
  return hard === undefined || hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard);
}

/** What a process had in its environment when it began; nothing when it may not be looked into. */
function environmentOf(pid: number): readonly string[] {
  try {
    return readProc(pid, 'environ')?.split('\0') ?? [];
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}
