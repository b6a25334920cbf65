import { rm } from 'node:fs/promises';
import { UsageError } from '@portolan/cli';
import type { ProjectFolder } from '../project/folder.ts';
import { readIdentity } from '../project/identity.ts';
import { takeLock } from '../project/lock.ts';
import type { Terminal } from './terminal.ts';

/** `saivage reset`: true when `data/` and `work/` are gone. What the operator or an agent has defined stays. */
export async function reset(
  folder: ProjectFolder,
  { yes }: { readonly yes?: true },
  terminal: Terminal,
): Promise<boolean> {
  readIdentity(folder.identity);
  const { giveBack } = await takeLock(folder);
  try {
    if (!yes && !(await agreed(folder, terminal))) return false;
    for (const doomed of [folder.data, folder.work]) await removeWhole(doomed);
    terminal.print(`Removed ${folder.data} and ${folder.work}.`);
    return true;
  } finally {
    giveBack();
  }
}

async function agreed(folder: ProjectFolder, { ask, print }: Terminal): Promise<boolean> {
  const answer = await ask(`Remove ${folder.data} and ${folder.work} for good? Type yes: `);
  if (answer === undefined) throw new UsageError('Nobody can be asked here; say --yes to reset.');
  if (answer.trim() === 'yes') return true;
  print('Nothing was removed.');
  return false;
}

/** The database of a server that was killed may need a moment to end, and writes until then. */
function removeWhole(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
