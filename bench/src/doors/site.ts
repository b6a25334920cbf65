import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../apps/mervare/bin/mervare.mjs', import.meta.url));

/** A process that serves. */
export interface Serving {
  readonly origin: string;
  readonly pid: number;
  end(): Promise<void>;
}

/** `mervare serve` as an operator runs it, over this database, with its log in a file: a reader would be woken at our cost. */
export async function startSite(databaseUrl: string): Promise<Serving> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-bench-'));
  const log = await open(join(folder, 'log'), 'w');
  const env = {
    PATH: '/usr/bin:/bin',
    MERVARE_DATA: folder,
    MERVARE_SECRET: 'of the bench, and of no other site',
    DATABASE_URL: databaseUrl,
  };
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    env,
    stdio: ['ignore', log.fd, 'inherit'],
  });
  await log.close();
  const ended = once(child, 'exit');
  const end = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  };
  try {
    return { origin: await announced(folder, child), pid: child.pid ?? 0, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The origin that it announces in its folder when it is ready. */
async function announced(folder: string, child: ChildProcess): Promise<string> {
  for (let waited = 0; waited < 60_000 && child.exitCode === null; waited += 50) {
    const said = await readFile(join(folder, 'endpoint.json'), 'utf8').catch(() => undefined);
    if (said !== undefined) return (JSON.parse(said) as { origin: string }).origin;
    await wait(50);
  }
  throw new Error('mervare did not start');
}
