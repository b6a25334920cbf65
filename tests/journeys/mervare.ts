import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { testDatabase } from '@portolan/store/testing';
import type Axe from 'axe-core';
import type { Page } from 'playwright-core';
import { migrations } from '../../apps/mervare/src/migrations.ts';
import { root } from '../workspace.ts';

/** The built site in a process of its own, over a database of its own. */
export interface RunningSite {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}

export async function startMervare(variables: Readonly<Record<string, string>> = {}): Promise<RunningSite> {
  const database = await testDatabase({ app: 'mervare', migrations });
  const folder = mkdtempSync(join(tmpdir(), 'mervare-pages-'));
  const site = spawn(process.execPath, [join(root, 'apps/mervare/bin/mervare.mjs'), 'serve', '--port', '0'], {
    env: {
      ...process.env,
      MERVARE_DATA: folder,
      DATABASE_URL: database.url,
      MERVARE_ORIGIN: '',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(site, 'exit');
  const stop = async () => {
    site.kill('SIGTERM');
    await exited;
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { origin: await originOf(site), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function originOf({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('No output');
  for await (const line of createInterface({ input: stdout })) {
    const { msg, origin: ready } = JSON.parse(line) as { msg: string; origin?: string };
    if (msg === 'ready' && ready) {
      stdout.resume();
      return ready;
    }
  }
  throw new Error('The site ended before it was ready');
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe finds wrong, one line a rule. It is injected, so the page's context must be made with `bypassCSP`. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: axe });
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof Axe }).axe.run();
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`,
    );
  });
}

/** Pixels that the page is wider than the window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
