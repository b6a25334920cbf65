import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { defaultAgents } from '../agents/defaults.ts';
import { projectFolder, type ProjectFolder } from '../project/folder.ts';
import { initProject } from '../project/init.ts';

/** An empty folder. Remove it with `removeFolder`. */
export function emptyFolder(): ProjectFolder {
  return projectFolder(realpathSync(mkdtempSync(join(tmpdir(), 'saivage-test-'))));
}

export function removeFolder({ root }: ProjectFolder): void {
  rmSync(root, { recursive: true, force: true });
}

/** An empty folder that is gone after the test. */
export function folderOfTest(): ProjectFolder {
  const folder = emptyFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Makes a folder a project, as `saivage init` does; `yaml` replaces its configuration. */
export function makeProject(folder: ProjectFolder, yaml?: string): ProjectFolder {
  initProject(folder, { newId: randomUUID, now: new Date(), agents: defaultAgents });
  if (yaml !== undefined) writeFileSync(folder.yaml, yaml);
  return folder;
}
