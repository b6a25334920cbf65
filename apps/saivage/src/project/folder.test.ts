import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { projectFolder } from './folder.ts';

it('SAI-8.3 has a guide that says of every part whether it belongs to a backup', () => {
  const guide = readFileSync(new URL('../../../../docs/guides/saivage.md', import.meta.url), 'utf8');
  const backup = guide.slice(guide.indexOf('## Backup'));
  const { root: _, saivage, schema, gitignore, lock, ...parts } = projectFolder('/');
  // What `init` writes again, the same for everybody, needs no word; the lock lies in its folder.
  expect([saivage, schema, gitignore, lock]).toHaveLength(4);
  for (const part of Object.values(parts)) expect(backup).toContain(part.slice(1));
});
