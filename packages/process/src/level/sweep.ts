import { sendSignal } from '../signal.ts';
import type { Fence, Level } from './level.ts';
import { faultOfLimits, newMarks } from './marks.ts';
import { findProgram, tryOut } from './tools.ts';

/**
 * No fence of the kernel, only marks (see `newMarks`), and a sweep that kills what it finds until nothing is found.
 * When we die suddenly, the command itself still dies with us; what it has started does not.
 */
export const sweep: Level = {
  name: 'sweep',
  async probe() {
    const [setpriv, prlimit] = await Promise.all(['setpriv', 'prlimit'].map(findProgram));
    if (!setpriv || !prlimit) return 'setpriv or prlimit (util-linux) is missing';
    const fault =
      faultOfLimits() ?? (await tryOut([...fence(setpriv, prlimit).prefix, '/bin/sh', '-c', 'exit 7'], 7));
    return fault ?? (() => fence(setpriv, prlimit));
  },
};

function fence(setpriv: string, prlimit: string): Fence {
  const marks = newMarks(prlimit);
  return {
    prefix: [setpriv, '--pdeathsig', 'KILL', ...marks.prefix],
    marks: marks.environment,
    enclosed(wrapper) {
      marks.follow(wrapper);
      return wrapper.pid;
    },
    hold() {},
    look: () => marks.look(),
    kill(found) {
      for (const pid of found) sendSignal(pid, 'SIGKILL');
    },
    ending: (exit) => exit,
    release() {},
  };
}
