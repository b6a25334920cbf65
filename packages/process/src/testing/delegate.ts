import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

/** A control group handed over to a user, as a session of a desktop hands one over. Undefined where we may not. */
export function delegateGroup(uid: number): { readonly enter: readonly string[]; close(): void } | undefined {
  const mount = /^\d+ \d+ \S+ \S+ (\S+) .*- cgroup2 /m.exec(
    readFileSync('/proc/self/mountinfo', 'utf8'),
  )?.[1];
  if (mount === undefined || process.getuid?.() !== 0) return undefined;
  const group = join(mount, `portolan-test-${randomUUID()}`);
  try {
    mkdirSync(group);
  } catch {
    return undefined;
  }
  for (const name of ['', 'cgroup.procs']) chownSync(join(group, name), uid, uid);
  return {
    enter: ['/bin/sh', '-c', 'echo $$ >"$0" && exec "$@"', join(group, 'cgroup.procs')],
    close: () => existsSync(group) && rmdirSync(group),
  };
}
