#!/usr/bin/env node
/**
 * Runs the tests that everyday runs shorten (a hundredth of a budget, two rounds for two hundred) at true time, and
 * writes what came of it to docs/generated/slow.md. A test says its figures by `annotate`. Parts of file names as
 * arguments run only those files; the rows of the others stay as they are. A run that fails writes nothing.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const RECORD = join(root, 'docs/generated/slow.md');
const MARK = 'PORTOLAN_TRUE_TIME';
const HEAD = ['file', 'test', 'result', 'took', 'figures', 'when', 'load before'];

const shortened = ['packages', 'apps', 'tests'].flatMap(shortenedBelow);
const wanted = process.argv.slice(2);
const files = shortened.filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));
process.env[MARK] = '1';
const begun = [new Date().toISOString().slice(0, 10), loadavg()[0]?.toFixed(1) ?? ''];
const rows = [];
const reporters = ['default', { onTestCaseResult: (test) => void rows.push(...rowOf(test)) }];
// They wait more than they work.
const vitest = await startVitest('test', files, { root, watch: false, reporters, maxWorkers: files.length });
await vitest.close();
console.log(recordOf(rows));
if (!process.exitCode) writeFileSync(RECORD, recordOf([...keptRows(), ...rows]));

/** Test files below a folder that read the mark. */
function shortenedBelow(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((file) => join(folder, file))
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('node_modules'))
    .filter((file) => readFileSync(join(root, file), 'utf8').includes(`process.env.${MARK}`))
    .toSorted();
}

/** A test has a row when it says figures, is skipped or fails. */
function rowOf(test) {
  const { state, note } = test.result();
  const figures = test.annotations().map(({ message }) => message);
  if (figures.length === 0 && state === 'passed') return [];
  const said = state === 'skipped' ? [note ?? 'skipped here'] : figures;
  const seconds = ((test.diagnostic()?.duration ?? 0) / 1_000).toFixed(0);
  const file = relative(root, test.module.moduleId);
  const name = test.fullName.replaceAll(' > ', ': ');
  return [[file, name, state, `${seconds} s`, said.join('; '), ...begun]];
}

/** What earlier runs have written of files that were not run now and that still are shortened. */
function keptRows() {
  if (!existsSync(RECORD)) return [];
  const others = shortened.filter((file) => !files.includes(file));
  return readFileSync(RECORD, 'utf8')
    .split('\n')
    .filter((line) => others.some((file) => line.startsWith(`| ${file} | `)))
    .map((line) => line.slice(2, -2).split(' | '));
}

function recordOf(all) {
  const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll(/(?<!\\)\|/g, '\\|')).join(' | ')} |`;
  const sorted = all.toSorted((one, other) => line(one).localeCompare(line(other)));
  return `# What was run at true time

Written by \`npm run test:slow\`; never edited by hand.

- Node ${process.versions.node}, ${machine}, Linux. The files of one run side by side; each row says when it was run, and the load of the
  machine (one minute) before.
- Everyday runs hold the same tests to a hundredth of the time or of the rounds, or to a fortieth where a start is timed.

${[HEAD, HEAD.map(() => '---'), ...sorted].map(line).join('\n')}
`;
}
