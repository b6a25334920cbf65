import { readFileSync, writeFileSync } from 'node:fs';
import { help, readArguments, Usage } from './arguments.ts';
import { bench } from './bench.ts';
import { best } from './figures.ts';
import { machineClass } from './machine.ts';
import { report } from './report.ts';

try {
  process.exitCode = await run(process.argv.slice(2), new Date());
} catch (error) {
  if (!(error instanceof Usage)) throw error;
  console.error(`${error.message}\n\n${help}`);
  process.exitCode = 64;
}

/** Runs what the command line asks for; answers the exit code: 1 when a row has no figure. */
async function run(args: readonly string[], now: Date): Promise<number> {
  const { plan, keep, date = now.toISOString().slice(0, 10) } = readArguments(args);
  const rows = await bench(plan, (line) => console.error(line));
  const occasion = { date, machine: machineClass(), node: process.versions.node, versions: versions() };
  const text = report(rows, plan, occasion);
  console.log(text);
  if (keep) writeFileSync(new URL('../../docs/generated/bench.md', import.meta.url), `${text}\n`);
  return rows.every(best) ? 0 : 1;
}

/** Our own manifest pins exactly what is measured. */
function versions(): Record<string, string> {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const measured = Object.entries(manifest.dependencies).filter(([name]) => !name.startsWith('@portolan/'));
  return Object.fromEntries(measured);
}
