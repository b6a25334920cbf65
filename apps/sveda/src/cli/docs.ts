import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Configuration } from '../config/schema.ts';
import { variables } from '../config/settings.ts';

/** Writes what Sveda reads, below the root of the repository: the variables, and the JSON Schema of sveda.yaml. */
export async function writeDocs(root: string): Promise<void> {
  const folder = join(root, 'docs/generated/sveda');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'settings.md'), settingsPage());
  await writeFile(join(folder, 'sveda.schema.json'), `${JSON.stringify(configurationSchema(), null, 2)}\n`);
}

function settingsPage(): string {
  const rows = Object.entries(variables).map(([name, says]) => `| \`${name}\` | ${says} |`);
  return [
    '<!-- Written by `npm run generate`. Do not edit. -->',
    '# Sveda: settings',
    '`sveda serve` takes `--host` (127.0.0.1) and `--port` (8787); everything else is a variable or stands in `sveda.yaml`.',
    ['| variable | meaning |', '| --- | --- |', ...rows].join('\n'),
    'For editors, the first line of `sveda.yaml` may name [its JSON Schema](sveda.schema.json):',
    '```yaml\n# yaml-language-server: $schema=./sveda.schema.json\n```',
    '',
  ].join('\n\n');
}

function configurationSchema(): object {
  return z.toJSONSchema(Configuration, { io: 'input' });
}
