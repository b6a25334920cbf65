import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { configurationSchema } from '../config/schema.ts';
import { commandsPage } from '../docs/commands.ts';
import { configurationPage } from '../docs/configuration.ts';
import { operationsPage } from '../docs/operations.ts';
import { operations } from '../operations/registry.ts';

/** Writes every generated document below `docs/generated/saivage` of a folder. The same sources give the same bytes. */
export function writeDocs(root: string, program: Command): void {
  const folder = join(root, 'docs', 'generated', 'saivage');
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('commands.md', commandsPage(program));
  write('configuration.md', configurationPage(configurationSchema()));
  write('operations.md', operationsPage(operations));
  write('saivage.schema.json', `${JSON.stringify(configurationSchema(), null, 2)}\n`);
}
