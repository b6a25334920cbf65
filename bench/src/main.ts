import { readFileSync, writeFileSync } from 'node:fs';
import { help, readArguments, Usage } from './arguments.ts';
import { machineClass } from './machine.ts';
import { recorders } from './records.ts';

try {
  process.exitCode = await run(process.argv.slice(2), new Date());
} catch (error) {
  if (!(error instanceof Usage)) throw error;
  console.error(`${error.message}\n\n${help}`);
  process.exitCode = 64;
}

/** Runs what the command line asks for; answers the exit code: 1 when a row has no figure. */
async function run(args: readonly string[], now: Date): Promise<number> {
  const { records, plans, keep, date = now.toISOString().slice(0, 10) } = readArguments(args);
  let whole = true;
  for (const name of records) {
    const recorder = recorders[name];
    const versions = versionsOf(recorder.measures);
    const occasion = { date, machine: machineClass(), node: process.versions.node, versions };
    const record = await recorder.make(plans, occasion, (line) => console.error(line));
    console.log(record.text);
    if (keep)
      writeFileSync(new URL(`../../docs/generated/${recorder.file}`, import.meta.url), `${record.text}\n`);
    whole &&= record.whole;
  }
  return whole ? 0 : 1;
}

/** Our own manifest pins exactly what is measured. */
function versionsOf(packages: readonly string[]): Record<string, string> {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return Object.fromEntries(packages.map((name) => [name, manifest.dependencies[name] ?? '']));
}
