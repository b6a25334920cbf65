import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Misconfigured } from '@portolan/mcp/tool';

/** Permission to write for everybody. */
const ANYBODY = 0o002;
/** In such a folder only the owner of a file replaces it. */
const STICKY = 0o1000;

/**
 * For files whose content starts processes. Throws `Misconfigured` where anybody on the machine may write the file, or
 * put another in its place; in the place of a link, too.
 */
export function requireTrustedWriters(file: string): void {
  const target = realpathSync(file);
  refuse(target, statSync(target).mode & ANYBODY);
  for (const folder of [dirname(file), dirname(target)]) {
    const { mode } = statSync(folder);
    refuse(folder, mode & STICKY ? 0 : mode & ANYBODY);
  }
}

function refuse(path: string, anybody: number): void {
  if (!anybody) return;
  throw new Misconfigured(
    `Anybody may write ${path}, which says what processes Saivage starts. Run \`chmod o-w '${path}'\`.`,
  );
}
