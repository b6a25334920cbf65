import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '@portolan/cli';
import { Misconfigured } from '@portolan/mcp/tool';
import { projectFolder, type ProjectFolder } from './folder.ts';

/** What may name the project, in the order in which it counts. */
export interface RootSources {
  readonly flag: string | undefined;
  readonly variable: string | undefined;
  readonly workingFolder: string;
}

/** The project that a command is about: `--project-root`, else SAIVAGE_PROJECT_ROOT, else the working folder. */
export function findProject({ flag, variable, workingFolder }: RootSources): ProjectFolder {
  const named = flag ?? variable ?? '.';
  const path = resolve(workingFolder, named);
  if (named !== '' && isFolder(path)) return projectFolder(realpathSync(path));
  if (flag !== undefined) throw new UsageError(`--project-root names no folder: ${flag}`);
  throw new Misconfigured(`SAIVAGE_PROJECT_ROOT names no folder: ${JSON.stringify(named)}`);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
