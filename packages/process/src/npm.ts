import { readFileSync } from 'node:fs';
import { isSameProcess, processIdentity, type ProcessIdentity } from './identity.ts';

const LOOK_MS = 1000;

/**
 * Sends this process SIGTERM within a second after the end of the npm or npx whose script it is; never where there was none. npm
 * hands signals on to the shell of its script, which may end without us, and one of them cannot be handed on at all: whoever ends
 * npm means what it started. What started npm may end as it likes.
 */
export function endWithNpm(environment: Readonly<Record<string, string | undefined>>): void {
  const npm = environment['npm_lifecycle_event'] === undefined ? undefined : npmAbove(process.ppid);
  if (npm === undefined) return;
  const timer = setInterval(() => {
    if (isSameProcess(npm)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS).unref();
}

/** npm names itself after its command, and stands above us or above the shell of its script. */
function npmAbove(pid: number, shells = 1): ProcessIdentity | undefined {
  const status = statusOf(pid);
  if (/^Name:\tnpm /m.test(status)) return processIdentity(pid);
  const parent = Number(/^PPid:\t(\d+)$/m.exec(status)?.[1] ?? 0);
  return shells > 0 && parent > 1 ? npmAbove(parent, shells - 1) : undefined;
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
