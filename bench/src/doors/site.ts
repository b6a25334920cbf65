import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../apps/mervare/bin/mervare.mjs', import.meta.url));

/** A process that serves. */
export interface Serving {
  readonly origin: string;
  readonly pid: number;
  end(): Promise<void>;
}

/** `mervare serve` as an operator runs it, over this database. */
export async function startSite(databaseUrl: string): Promise<Serving> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-bench-'));
  const env = { PATH: '/usr/bin:/bin', MERVARE_DATA: folder, DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    }
    await rm(folder, { recursive: true });
  };
  try {
    return { origin: await readyAt(child), pid: child.pid ?? 0, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The origin in the line that says that it is ready. What it logs later is read and dropped. */
async function readyAt({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('mervare has no stdout');
  for await (const line of createInterface(stdout)) {
    const { msg, origin } = JSON.parse(line) as { msg?: string; origin?: string };
    if (msg !== 'ready' || origin === undefined) continue;
    stdout.resume();
    return origin;
  }
  throw new Error('mervare ended at its start');
}
