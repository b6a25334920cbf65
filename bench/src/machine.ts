import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';

/** The unit of /proc: Linux shows a hundredth of a second to programs, whatever the kernel counts in. */
const tick = 10_000;

/**
 * Microseconds that the processors of this machine were not there for us: busy for a process, or taken by the
 * host. Interrupts are left out, because no process is charged for them.
 */
export function machineCpu(): number {
  const counters = numbers(readFileSync('/proc/stat', 'utf8'));
  const [user = 0, nice = 0, system = 0, , , , , stolen = 0] = counters;
  return (user + nice + system + stolen) * tick;
}

/** Microseconds of processor time that a process has used, user and system. */
export function processCpu(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Field 2 is the command in parentheses and may hold anything; utime and stime are fields 14 and 15.
  const [utime = 0, stime = 0] = numbers(stat.slice(stat.lastIndexOf(')'))).slice(10);
  return (utime + stime) * tick;
}

/**
 * The same of the threads that are alive, to the nanosecond. For processes that keep their threads, such as node's;
 * a process that does little would drown in the hundredths of `processCpu`.
 */
export function threadsCpu(pid: number): number {
  const of = (thread: string) =>
    numbers(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))[0] ?? 0;
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + of(thread) / 1000, 0);
}

/**
 * Microseconds of processor time of a process, of its children, and of those that it has waited for. The living ones are told to the
 * nanosecond, by their first thread: for families such as PostgreSQL's, in which each has but one.
 */
export function familyCpu(pid: number): number {
  const family = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? statOf(name) : []));
  const [parent] = family.filter((one) => one.pid === pid);
  const children = family.filter((one) => one.parent === pid);
  return [parent?.waited ?? 0, parent?.own ?? 0, ...children.map(({ own }) => own)].reduce(
    (sum, one) => sum + one,
    0,
  );
}

/** Nothing for a process that has ended meanwhile. */
function statOf(pid: string) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [parent = 0, ...rest] = numbers(stat.slice(stat.lastIndexOf(')')));
    const [cutime = 0, cstime = 0] = rest.slice(11);
    const [own = 0] = numbers(readFileSync(`/proc/${pid}/schedstat`, 'utf8'));
    return [{ pid: Number(pid), parent, own: own / 1000, waited: (cutime + cstime) * tick }];
  } catch {
    return [];
  }
}

function numbers(line: string): number[] {
  return (line.split('\n', 1)[0] ?? '').split(/\s+/).map(Number).filter(Number.isFinite);
}

/** How many processors there are. */
export const processors = availableParallelism();

/** The class of machine, and nothing that names one: `2 cores, 24 GB`. */
export function machineClass(): string {
  return `${processors} cores, ${Math.round(totalmem() / 2 ** 30)} GB`;
}
