import { connect, type Connection } from '@portolan/mcp/connect';
import { projectResult } from '@portolan/mcp/content';
import { living } from '@portolan/process/testing';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findChromium } from '../chromium.ts';

const PACKAGE = '@playwright/mcp@0.0.83';
const PAGE = `<!doctype html><title>Harbour</title><h1>Berths</h1>
  <button onclick="this.textContent = 'Berth 4 is taken'">Take berth 4</button>`;

/** Longest time for what npm fetches, in milliseconds. */
const FETCH_MS = 240_000;

let project: string;
let site: Server;
let env: Record<string, string>;
beforeAll(async () => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'pw-')));
  const folder = (name: string) => {
    mkdirSync(join(project, 'tmp', name), { recursive: true });
    return join(project, 'tmp', name);
  };
  env = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: folder('home'),
    npm_config_cache: folder('npm'),
    npm_config_registry: (await npm(['config', 'get', 'registry'], process.env)).stdout.trim(),
    npm_config_prefer_offline: 'true',
    TMPDIR: folder('t'),
  };
  site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(PAGE));
  await once(site.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  site.close();
  rmSync(project, { recursive: true, force: true });
});

/** Runs npm to its end, good or bad, or until it has had its time. */
function npm(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Said> {
  const options = { env: environment, cwd: project, timeout: FETCH_MS };
  return promisify(execFile)('npm', args, options).catch((error: Said) => error);
}

interface Said {
  readonly stdout: string;
  readonly stderr: string;
  /** It had its time. */
  readonly killed?: boolean;
}

/**
 * Has npx fetch the package, so that a slow registry is not taken for a slow browser. Why it cannot be fetched here; undefined once it
 * is. Only a network or a registry that fails is a reason to skip.
 */
async function notFetched(): Promise<string | undefined> {
  const { stderr, killed } = await npm(['exec', '--yes', `--package=${PACKAGE}`, '-c', 'true'], env);
  if (killed) return 'the npm registry is too slow';
  const code = /npm error code (E\w+)/.exec(stderr)?.[1];
  const network =
    /^E(NOTFOUND|AI_AGAIN|CONN\w+|TIMEDOUT|NETUNREACH|HOSTUNREACH|RR_SOCKET_TIMEOUT|429|50[0234])$/;
  return code && network.test(code) ? `the npm registry cannot be reached (${code})` : undefined;
}

/**
 * The recipe as it is written, but with the system's browser in the place of the one that it would install, and with
 * more patience, because tests share their machine.
 */
function recipe() {
  const sandbox = process.getuid?.() === 0 ? '--no-sandbox ' : '';
  const command =
    `playwright-mcp --version >&2 && exec playwright-mcp --browser chromium --executable-path ${findChromium()} ${sandbox}` +
    '--headless --isolated --image-responses allow --no-webmcp --timeout-action 60000 --output-dir tmp/browser-output';
  const args = ['--yes', `--package=${PACKAGE}`, '-c', command];
  return { transport: 'stdio', command: 'npx', args, env, cwd: project } as const;
}

async function call(connection: Connection, name: string, args: Record<string, unknown>) {
  const tool = connection.catalog.tool(name);
  if (!tool) throw new Error(`no tool ${name}`);
  return projectResult(await connection.call(tool, args));
}

function textOf({ parts }: Awaited<ReturnType<typeof projectResult>>): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** What the browser shows, as a native image. */
async function screenshot(connection: Connection): Promise<Buffer> {
  const { parts } = await call(connection, 'browser_take_screenshot', { scale: 'css' });
  expect(parts).toMatchObject([
    { type: 'text', text: expect.stringContaining('tmp/browser-output/page-') },
    { type: 'image', facts: { sourceType: 'image/png', sent: { width: 1_280, height: 720 } } },
  ]);
  const [picture] = parts.flatMap((part) => (part.type === 'image' ? [part.png] : []));
  if (!picture) throw new Error('no picture');
  return picture;
}

/** How many processes of the browser are alive: each names its profile below our TMPDIR. */
const browserProcesses = () => living(`--user-data-dir=${join(project, 'tmp', 't')}`).length;

it(
  'SAI-43 the pinned browser starts by npx, navigates, describes a page, clicks, and its screenshot is a native image',
  { timeout: FETCH_MS + 360_000 },
  async (test) => {
    const reason = await notFetched();
    if (reason) test.skip(reason);
    const roots = [{ uri: pathToFileURL(project).href, name: 'project' }];
    const connection = await connect(recipe(), { budget: 180_000, roots });
    test.onTestFinished(async () => void (await connection.close()));

    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    expect(textOf(await call(connection, 'browser_navigate', { url }))).toContain('Page Title: Harbour');
    const snapshot = textOf(await call(connection, 'browser_snapshot', {}));
    expect(snapshot).toContain('heading "Berths" [level=1]');
    const target = /button "Take berth 4" \[ref=(\w+)\]/.exec(snapshot)?.[1];
    const before = await screenshot(connection);
    await call(connection, 'browser_click', { target });
    expect((await screenshot(connection)).equals(before)).toBe(false);
    expect(textOf(await call(connection, 'browser_snapshot', {}))).toContain('button "Berth 4 is taken"');
    expect(browserProcesses()).toBeGreaterThan(0);

    const unscaled = call(connection, 'browser_take_screenshot', {});
    await expect(unscaled).rejects.toMatchObject({ code: 'arguments_invalid', effects: 'none' });
    const named = await call(connection, 'browser_take_screenshot', { scale: 'css', filename: 'berths.png' });
    expect(named.parts.map(({ type }) => type)).toEqual(['text']);

    expect(await connection.close()).toEqual({ contained: true });
    expect(browserProcesses()).toBe(0);
  },
);
