#!/usr/bin/env node
/**
 * Runs the tests that everyday runs shorten (a hundredth of a budget, two rounds for two hundred) at true time, and
 * writes what came of it to docs/generated/slow.md. A test says its figures by `annotate`. Parts of file names as
 * arguments run only those files, and print only.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startVitest } from 'vitest/node';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const MARK = 'PORTOLAN_TRUE_TIME';

const wanted = process.argv.slice(2);
const files = ['packages', 'apps', 'tests']
  .flatMap(shortenedBelow)
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));
process.env[MARK] = '1';
const begun = { date: new Date().toISOString().slice(0, 10), load: load(), at: performance.now() };
const rows = [];
const reporters = ['default', { onTestCaseResult: (test) => void rows.push(...rowOf(test)) }];
// They wait more than they work.
const vitest = await startVitest('test', files, { root, watch: false, reporters, maxWorkers: files.length });
await vitest.close();
const record = recordOf(
  begun,
  rows.toSorted(([one], [other]) => one.localeCompare(other)),
);
console.log(record);
if (wanted.length === 0 && !process.exitCode) writeFileSync(join(root, 'docs/generated/slow.md'), record);

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
  return [[test.fullName.replaceAll(' > ', ': '), state, `${seconds} s`, said.join('; ')]];
}

function recordOf({ date, load: before, at }, rows) {
  const minutes = ((performance.now() - at) / 60_000).toFixed(1);
  const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return `${[
    '# What was run at true time\n\nWritten by `npm run test:slow`; never edited by hand.',
    `- ${date}, Node ${process.versions.node}, ${machine}, Linux. ${minutes} minutes in all, the files side by side.
- Files: ${files.join(', ')}.
- Load of the machine (one minute) before ${before}, after ${load()}.
- Everyday runs hold the same tests to a hundredth of the time or of the rounds, or to a fortieth where a start is timed.`,
    [line(['test', 'result', 'took', 'figures']), line(['---', '---', '---', '---']), ...rows.map(line)].join(
      '\n',
    ),
  ].join('\n\n')}\n`;
}

function load() {
  return loadavg()[0]?.toFixed(2) ?? '';
}
