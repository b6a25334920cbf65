import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bodiesOf } from './conversation.ts';
import type { Memory } from './memory-probe.ts';
import type { ChatServer } from './variants.ts';

const program = fileURLToPath(new URL('../../../apps/sveda/bin/sveda.mjs', import.meta.url));
/** The built one, also when a test runs the sources. */
const probe = new URL('../../dist/chat/memory-probe.js', import.meta.url).href;
const hostKey = 'host-key-of-the-bench';

/** `sveda serve` as an operator runs it, with its embedded PostgreSQL in a folder of its own. */
export async function startSveda(baseURL: string): Promise<ChatServer> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-bench-'));
  await writeFile(join(folder, 'sveda.yaml'), configuration(baseURL));
  const env = {
    PATH: '/usr/bin:/bin',
    SVEDA_CONFIG: join(folder, 'sveda.yaml'),
    SVEDA_DATA: folder,
    SVEDA_EMBED_HOST_API_KEY: hostKey,
  };
  const child = spawn(process.execPath, ['--import', probe, program, 'serve', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const end = async () => {
    await ended(child);
    await rm(folder, { recursive: true });
  };
  try {
    await ready(child);
    return { ...(await opened(folder)), pid: child.pid ?? 0, memory: () => memoryOf(child), end };
  } catch (error) {
    await end();
    throw error;
  }
}

const configuration = (baseURL: string) => `models:
  - { provider: openai-compatible, model: m, baseURL: '${baseURL}' }
limits:
  { postsPerMinute: 1000000, postsPerMinuteFromAddress: 1000000, postsPerMinuteOfNode: 1000000, turnsOfVisitor: 5000, turnsOfNode: 5000, streamsOfVisitor: 5000 }
`;

/** Resolves with the line that says so. Whatever it logs later is read and dropped. */
async function ready(child: ChildProcess): Promise<void> {
  if (!child.stdout) throw new Error('sveda has no stdout');
  const lines = createInterface(child.stdout);
  const died = once(child, 'exit').then(() => Promise.reject(new Error('sveda ended at its start')));
  const said = new Promise<void>((resolve) => {
    lines.on('line', (line) => line.includes('"ready"') && resolve());
  });
  await Promise.race([said, died]);
  died.catch(() => undefined);
}

/** Where it listens, a visitor's token for it, and the process of its database. */
async function opened(folder: string) {
  const { origin } = JSON.parse(await readFile(join(folder, 'endpoint.json'), 'utf8')) as { origin: string };
  const headers = { 'content-type': 'application/json' };
  const minted = await fetch(`${origin}/sveda/embed/token`, {
    method: 'POST',
    headers: { ...headers, 'x-sveda-host-key': hostKey },
    body: '{"visitor_id":"bench"}',
  });
  const { token } = (await minted.json()) as { token: string };
  const postmaster = await readFile(join(folder, 'database/main/cluster/postmaster.pid'), 'utf8');
  return {
    request: {
      url: `${origin}/sveda/stream`,
      headers: { ...headers, 'x-sveda-embed-token': token },
      bodies: bodiesOf((text) => ({ message: { text } })),
      dialect: 'sveda' as const,
    },
    database: Number.parseInt(postmaster, 10),
  };
}

async function memoryOf(child: ChildProcess): Promise<Memory> {
  const told = once(child, 'message');
  child.send('memory');
  return ((await told) as [Memory])[0];
}

/** Asked to end, which takes the database along; killed when it does not. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await exit;
  clearTimeout(late);
}
