import { randomUUID } from 'node:crypto';
import { defaultAgents } from '../agents/defaults.ts';
import type { ProjectFolder } from '../project/folder.ts';
import { initProject } from '../project/init.ts';
import type { Terminal } from './terminal.ts';

/** `saivage init` */
export function init(folder: ProjectFolder, { print }: Terminal): void {
  const steps = initProject(folder, { newId: randomUUID, now: new Date(), agents: defaultAgents });
  for (const { file, became } of steps) print(`${became.padEnd(7)} ${file}`);
}
