#!/usr/bin/env node
/**
 * Writes every generated file again, each by the command of the app that owns it.
 * With --check, writes below a scratch folder instead and fails when anything there differs from what stands in the tree.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const owners = ['mervare', 'saivage', 'stack', 'sveda'];

if (process.argv.includes('--check')) checkFresh();
else generateInto(root);

function generateInto(folder) {
  for (const app of owners) {
    const bin = join(root, 'apps', app, 'bin', `${app}.mjs`);
    const { status } = spawnSync(process.execPath, [bin, 'docs', '--out', folder], { stdio: 'inherit' });
    if (status !== 0) throw new Error(`${app} docs ended with ${status}`);
  }
}

function checkFresh() {
  const scratch = mkdtempSync(join(tmpdir(), 'portolan-generated-'));
  try {
    generateInto(scratch);
    const stale = filesBelow(scratch).filter((file) => read(join(root, file)) !== read(join(scratch, file)));
    for (const file of stale) console.error(`stale: ${file}`);
    if (stale.length > 0) {
      console.error('Run `npm run generate` and commit the result.');
      process.exitCode = 1;
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)));
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
