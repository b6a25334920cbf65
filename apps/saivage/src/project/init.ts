import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { configurationSchema } from '../config/schema.ts';
import type { ProjectFolder } from './folder.ts';
import type { Identity } from './identity.ts';
import { gitignore, startingYaml } from './template.ts';

/** What `init` needs beside the project: chance, time, and what each agent is granted at the start. */
export interface InitOptions {
  readonly newId: () => string;
  readonly now: Date;
  readonly agents: Readonly<Record<string, readonly string[]>>;
}

/** One file of `.saivage/` and what became of it. */
export interface InitStep {
  readonly file: string;
  readonly became: 'written' | 'kept';
}

/** Nobody but their owner writes what is made here, whatever the umask: what anybody may write is refused later. */
const MODES = { folder: 0o755, closed: 0o700, file: 0o644 } as const;

/** Makes `.saivage/` and writes what is missing in it. What exists is left as it is, whatever it holds. */
export function initProject(project: ProjectFolder, { newId, now, agents }: InitOptions): InitStep[] {
  const identity: Identity = {
    id: newId(),
    name: basename(project.root).slice(0, 200) || 'project',
    created_at: now.toISOString(),
  };
  mkdirSync(project.saivage, { recursive: true, mode: MODES.folder });
  for (const folder of [project.config, project.locks, project.work]) {
    mkdirSync(folder, { recursive: true, mode: MODES.closed });
  }
  return [
    writeOnce(project, project.yaml, startingYaml(agents)),
    writeOnce(project, project.schema, `${JSON.stringify(configurationSchema(), null, 2)}\n`),
    writeOnce(project, project.identity, `${JSON.stringify(identity, null, 2)}\n`),
    writeOnce(project, project.gitignore, gitignore),
  ];
}

function writeOnce({ root }: ProjectFolder, file: string, text: string): InitStep {
  return { file: relative(root, file), became: create(file, text) ? 'written' : 'kept' };
}

function create(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: MODES.file });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
