import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { root } from '../workspace.ts';
import { expectedFailures } from './expected-failures.ts';

/** How the suite went: its exit code and summary, and for every scenario the checks that did not succeed. */
export interface Run {
  readonly exitCode: number;
  readonly output: string;
  readonly failed: ReadonlyMap<string, readonly string[]>;
}

const cli = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const shim = fileURLToPath(new URL('node20.mjs', import.meta.url));

/** Runs the official suite's requirements of one revision as a child process against a server. */
export async function runSuite(url: string, revision: string): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const baseline = join(folder, 'expected.json');
    await writeFile(baseline, JSON.stringify({ server: Object.values(expectedFailures).flat() }));
    const results = join(folder, 'results');
    const options = ['--requirements', revision, '--expected-failures', baseline, '-o', results];
    const { exitCode, output } = await node(['--import', shim, cli, 'server', '--url', url, ...options]);
    return { exitCode, output, failed: await failuresIn(results) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function node(args: readonly string[]): Promise<{ exitCode: number; output: string }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
    return { exitCode: 0, output: stdout };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
    return { exitCode: code ?? 1, output: stdout + stderr };
  }
}

/** Reads `server-<scenario>-<time>/checks.json`, one folder a scenario. */
async function failuresIn(results: string): Promise<Map<string, string[]>> {
  const failed = new Map<string, string[]>();
  for (const entry of await readdir(results)) {
    const scenario = entry.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
    const checks = JSON.parse(await readFile(join(results, entry, 'checks.json'), 'utf8')) as Check[];
    const bad = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    failed.set(
      scenario,
      bad.map(({ id }) => id),
    );
  }
  return failed;
}

interface Check {
  readonly id: string;
  readonly status: string;
}
