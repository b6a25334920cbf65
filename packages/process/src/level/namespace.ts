import type { ChildProcess } from 'node:child_process';
import { isSameProcess, processIdentity, type ProcessIdentity } from '../identity.ts';
import { childrenOf, isAlive, pidNamespace } from '../proc.ts';
import { sendSignal } from '../signal.ts';
import { survey } from '../survey.ts';
import type { Fence, Level } from './level.ts';
import { findProgram, tryOut } from './tools.ts';

/**
 * A PID namespace of its own: when its first process ends, the kernel kills all others and waits for them before it
 * lets the first one go. The wrapper dies with us (`--pdeathsig`), the first process with the wrapper (`--kill-child`).
 */
export const namespace: Level = {
  name: 'namespace',
  async probe() {
    const [setpriv, unshare, timeout] = await Promise.all(['setpriv', 'unshare', 'timeout'].map(findProgram));
    if (!setpriv || !unshare || !timeout) return 'setpriv, unshare or timeout is missing';
    // The first process is `timeout 0`, which stops nothing. A command in that place would be deaf to SIGTERM (the
    // kernel's rule for first processes); behind it, SIGTERM does what it does everywhere, and exit codes pass.
    const first = [timeout, '--foreground', '0'];
    const reasons: string[] = [];
    for (const rights of process.getuid?.() === 0 ? [[], ['--map-current-user']] : [['--map-current-user']]) {
      const enter = [unshare, ...rights, '--pid', '--fork', '--kill-child', '--mount-proc', ...first];
      const prefix: Fence['prefix'] = [setpriv, '--pdeathsig', 'KILL', ...enter];
      const fault = await tryOut([...prefix, '/bin/sh', '-c', 'test $$ = 2 && exit 7'], 7);
      if (fault === undefined) return () => fence(prefix);
      reasons.push(fault);
    }
    return reasons.join('; ');
  },
};

/** The first process of a scope's namespace, and the name that the kernel gives to that namespace while it lives. */
interface First {
  readonly identity: ProcessIdentity;
  readonly namespace: string;
}

/** How often an empty namespace is let go by itself, and so tells how the command ended, before it is killed. */
const LET_GO = 20;

function fence(prefix: Fence['prefix']): Fence {
  let first: First | undefined;
  let letGo = 0;
  let killed = false;
  const living = () => (first && isSameProcess(first.identity) ? first : undefined);

  return {
    prefix,
    marks: {},
    enclosed(wrapper) {
      first ??= firstProcess(wrapper);
      // It has a child only after all of its own preparations, those for our sudden death included.
      return first && childrenOf(first.identity.pid)[0];
    },
    hold() {
      const held = living();
      if (held) sendSignal(held.identity.pid, 'SIGSTOP');
    },
    look() {
      const held = living();
      return held ? { found: inside(held), whole: false } : { found: [], whole: true };
    },
    kill(found) {
      const held = living();
      if (!held) return;
      killed ||= found.length > 0 || letGo++ >= LET_GO;
      sendSignal(held.identity.pid, killed ? 'SIGKILL' : 'SIGCONT');
    },
    // The wrapper cannot tell that its first process was killed, and with it the command.
    ending: (wrapper) => (killed ? { code: null, signal: 'SIGKILL' } : wrapper),
    release() {},
  };
}

function firstProcess(wrapper: ChildProcess): First | undefined {
  const pid = wrapper.pid === undefined ? undefined : childrenOf(wrapper.pid)[0];
  const identity = pid === undefined ? undefined : processIdentity(pid);
  const namespace = pid === undefined ? undefined : pidNamespace(pid);
  return identity && namespace ? { identity, namespace } : undefined;
}

/** The kernel may give the same name to a later namespace: only while the first process lives is it the scope's. */
function inside({ identity, namespace }: First): readonly number[] {
  return survey((pid) => pidNamespace(pid) === namespace && pid !== identity.pid && isAlive(pid)).found;
}
