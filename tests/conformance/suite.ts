import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { root } from '../workspace.ts';

/** How the suite went: its exit code and summary, and for every scenario the checks that did not succeed. */
export interface Run {
  readonly exitCode: number;
  readonly output: string;
  readonly failed: ReadonlyMap<string, readonly string[]>;
}

const cli = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const shim = fileURLToPath(new URL('node20.mjs', import.meta.url));

/** Scenarios and checks that fail, by the reason. */
export type Failures = Readonly<Record<string, readonly string[]>>;

/** Runs the official suite's requirements of one revision against a server. Fails where others fail than those expected. */
export async function runSuite(url: string, revision: string, expected: Failures): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const baseline = join(folder, 'expected.json');
    await writeFile(baseline, JSON.stringify({ server: Object.values(expected).flat() }));
    return await run('server', ['--url', url, '--requirements', revision, '--expected-failures', baseline]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Who asks an authorization server for a code: a client that it knows, and the person behind it. */
export interface Asking {
  readonly client: string;
  readonly resource: string;
  /** Where the suite listens; the client's redirect address is `http://127.0.0.1:<port>/callback`. */
  readonly port: number;
  /** Brings the request to consent and the answer to the suite. */
  readonly visit: (request: string) => Promise<unknown>;
}

/** Runs the suite's scenarios of authorization servers against an issuer. */
export function runAuthorization(issuer: string, { client, resource, port, visit }: Asking): Promise<Run> {
  const options = ['--url', issuer, '--client-id', client, '--resource', resource, '-p', String(port)];
  return run('authorization', options, visit);
}

/** Runs one command of the suite as a child process. What it prints as an address of its own line is visited. */
async function run(
  command: 'server' | 'authorization',
  options: readonly string[],
  visit?: Asking['visit'],
): Promise<Run> {
  const results = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const args = ['--import', shim, cli, command, ...options, '-o', results];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'close');
    const visits: Promise<unknown>[] = [];
    let output = '';
    createInterface(child.stderr).on('line', (line) => (output += `${line}\n`));
    createInterface(child.stdout).on('line', (line) => {
      output += `${line}\n`;
      if (visit && /^https?:\S+$/.test(line)) visits.push(visit(line).catch(() => child.kill()));
    });
    const [exitCode] = (await ended) as [number | null];
    await Promise.all(visits);
    return { exitCode: exitCode ?? 1, output, failed: await failuresIn(results) };
  } finally {
    await rm(results, { recursive: true });
  }
}

/** Reads `<command>-<scenario>-<time>/checks.json`, one folder a scenario. */
async function failuresIn(results: string): Promise<Map<string, string[]>> {
  const failed = new Map<string, string[]>();
  for (const entry of await readdir(results)) {
    const scenario = entry.replace(/^(authorization-)?server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
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
