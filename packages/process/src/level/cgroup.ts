import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { LaunchError } from '../errors.ts';
import type { Launch } from '../launch.ts';
import { readProc } from '../proc.ts';
import { sendSignal } from '../signal.ts';
import type { Fence, Level } from './level.ts';
import { newMarks } from './marks.ts';
import { findProgram, tryOut } from './tools.ts';

/**
 * A control group (version 2) below our own: the kernel lists its members and kills them together. The marks of the
 * sweep are set as well, because a process with enough rights can move itself out of a group.
 */
export const cgroup: Level = {
  name: 'cgroup',
  async probe() {
    const [setpriv, prlimit, shell] = await Promise.all(['setpriv', 'prlimit', 'sh'].map(findProgram));
    if (!setpriv || !prlimit || !shell) return 'setpriv or prlimit (util-linux) or sh is missing';
    const home = ownGroup();
    if (!home) return 'no control groups of version 2 are mounted';
    const tools = { setpriv, prlimit, shell };
    return (await faultOf(home, tools)) ?? ((launch) => fence(home, tools, launch));
  },
};

interface Tools {
  readonly setpriv: string;
  readonly prlimit: string;
  readonly shell: string;
}

/** Enters the group and becomes the command: no child is born outside. */
const ENTER = 'echo $$ >"$0" && exec "$@"';

function fence(home: string, { setpriv, prlimit, shell }: Tools, { command, env }: Launch): Fence {
  requirePlainNames(command, env);
  const group = join(home, `portolan-${randomUUID()}`);
  mkdirSync(group);
  const marks = newMarks(prlimit);
  return {
    prefix: [
      setpriv,
      '--pdeathsig',
      'KILL',
      ...marks.prefix,
      shell,
      '-c',
      ENTER,
      join(group, 'cgroup.procs'),
    ],
    marks: marks.environment,
    enclosed(wrapper) {
      marks.follow(wrapper);
      return members(group).find((pid) => pid === wrapper.pid);
    },
    hold() {},
    look() {
      const { found, whole } = marks.look();
      return { found: [...new Set([...members(group), ...found])], whole };
    },
    kill(found) {
      writeFileSync(join(group, 'cgroup.kill'), '1');
      for (const pid of found) sendSignal(pid, 'SIGKILL');
    },
    ending: (exit) => exit,
    release: () => remove(group),
  };
}

/** The shell that enters the group passes on only variables that could be its own. */
function requirePlainNames(command: string, env: Launch['env']): void {
  const odd = Object.keys(env).find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (odd === undefined) return;
  const message = `The variable "${odd}" for "${command}" cannot be passed on where processes are held in control groups.`;
  throw new LaunchError('environment_not_passable', command, message);
}

/** The folder of the group that we are in, or undefined where version 2 is not mounted. */
function ownGroup(): string | undefined {
  const path = /^0::(.*)$/m.exec(readProc('self', 'cgroup') ?? '')?.[1];
  // proc(5), mountinfo: id, parent, device, root, mount point, options, optional fields, "-", type, …
  const mount = /^\d+ \d+ \S+ (\S+) (\S+) .*- cgroup2 /m.exec(readProc('self', 'mountinfo') ?? '');
  const [, root, mountPoint] = mount ?? [];
  if (path === undefined || root === undefined || mountPoint === undefined) return undefined;
  return join(mountPoint, relative(root, path));
}

async function faultOf(home: string, tools: Tools): Promise<string | undefined> {
  if (!existsSync(join(home, 'cgroup.procs'))) return 'our own control group cannot be seen';
  try {
    const trial = fence(home, tools, { command: 'sh', args: [], env: {}, cwd: '/' });
    try {
      return (await tryOut([...trial.prefix, tools.shell, '-c', 'exit 7'], 7)) ?? faultOfKill(trial);
    } finally {
      trial.release();
    }
  } catch (error) {
    return `our own control group cannot be divided (${(error as NodeJS.ErrnoException).code})`;
  }
}

function faultOfKill(trial: Fence): string | undefined {
  try {
    trial.kill([]);
    return undefined;
  } catch {
    return 'the kernel is older than 5.14 and cannot kill a control group';
  }
}

/** Processes in a group and in the groups that its members made below it. */
function members(group: string): number[] {
  const own = readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
  return [...own, ...inner(group).flatMap(members)];
}

function remove(group: string): void {
  for (const below of inner(group)) remove(below);
  rmdirSync(group);
}

function inner(group: string): string[] {
  return readdirSync(group, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(group, name));
}
