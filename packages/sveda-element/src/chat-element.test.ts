import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { refuses, scriptedServer, streams, turn, type Answer, type Draft } from '@sveda-ai/core/testing';

const here = dirname(fileURLToPath(import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let bundle = '';
let browser: Browser;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  bundle = await bundled();
  browser = await chromium.launch({
    executablePath: process.env.PORTOLAN_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
  });
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(() => browser.close());

/** The element as a customer's bundler makes it. */
async function bundled(entry = join(here, 'index.ts')): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['portolan'] },
    build: { write: false, lib: { entry, formats: ['es'] } },
  });
  const [first] = Array.isArray(made) ? made : [made];
  return first && 'output' in first ? first.output[0].code : '';
}

/** A page with the element, its session route and a scripted stream, all on one origin. */
async function page(
  script: Answer[],
  register = '',
): Promise<{ page: Page; server: Awaited<ReturnType<typeof scriptedServer>> }> {
  const session: Answer = (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(
        JSON.stringify({ origin: new URL(server.stream).origin, token: 'sveda_embed_test', expires_in: 60 }),
      );
  const html: Answer = (response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(
      `<!doctype html><html lang="en"><title>Harbours</title><main><h1>Harbours</h1>
       <sveda-chat></sveda-chat></main>
       <script type="module">import { SvedaToolRegistry } from '/element.js';
       const tools = new SvedaToolRegistry(); window.runs = []; ${register}
       document.querySelector('sveda-chat').tools = tools;</script></html>`,
    );
  const element: Answer = (response) =>
    void response.writeHead(200, { 'content-type': 'text/javascript' }).end(bundle);
  const site: Record<string, Answer> = { '/': html, '/element.js': element, '/sveda/session': session };
  const server = await scriptedServer([], (path) =>
    path.startsWith('/sveda/stream') ? script.shift() : (site[path] ?? refuses(404, 'not_found')),
  );
  const opened = await browser.newPage();
  open.push(opened, server);
  await opened.goto(new URL('/', server.stream).href);
  await opened.getByRole('button', { name: 'Send' }).and(opened.locator(':enabled')).waitFor();
  return { page: opened, server };
}

const say = (delta: string): Draft => ({ type: 'text.delta', delta });

describe('<sveda-chat> in a real browser', () => {
  it('SVE-42.1 shows an answer as Markdown, and nothing of it as markup or a remote load', async () => {
    const hostile =
      '**Tallinn** <img src=x onerror="window.hacked=1"> ![map](https://example.invalid/x.png) ' +
      '[a](javascript:window.hacked=2) <script>window.hacked=3</script>';
    const { page: tab } = await page([streams(turn().segment([say(hostile)], 'stop'))]);
    const asked: string[] = [];
    tab.on('request', (request) => asked.push(request.url()));
    await ask(tab, 'Where?');
    await tab.locator('li.assistant strong').waitFor();
    expect(await tab.locator('li.assistant strong').textContent()).toBe('Tallinn');
    expect(await tab.locator('li.assistant img, li.assistant script').count()).toBe(0);
    expect(
      await tab
        .locator('li.assistant a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).toEqual(['https://example.invalid/x.png', null]);
    expect(await tab.evaluate('window.hacked')).toBeUndefined();
    expect(asked.filter((url) => url.includes('example.invalid'))).toEqual([]);
  });

  it('SVE-42.2 asks before a confirmed page tool, by keyboard, and runs it once', async () => {
    const first = turn();
    const asked = {
      type: 'tool.call',
      toolCallId: 'c1',
      toolName: 'wipe',
      target: 'frontend',
      input: { harbour: 'Tallinn' },
      confirmation: 'required',
    } as Draft;
    const done = {
      type: 'tool.result',
      toolCallId: 'c1',
      toolName: 'wipe',
      status: 'succeeded',
      content: [],
    } as Draft;
    const { page: tab, server } = await page(
      [
        streams(first.segment([asked], 'tool_calls')),
        streams(
          first.segment([{ type: 'tool.decision', toolCallId: 'c1', decision: 'approve' }], 'tool_calls'),
        ),
        streams(first.segment([done, say('Wiped.')], 'stop')),
      ],
      `tools.register({ name: 'wipe', description: 'd', parameters: { type: 'object' }, confirmation: 'required',
         handler: (input) => { window.runs.push(input); return 'ok'; } });`,
    );
    await ask(tab, 'Wipe it');
    await tab.getByRole('button', { name: 'Approve' }).waitFor();
    expect(await tab.getByRole('group').textContent()).toContain('Tallinn');
    expect(await tab.evaluate('window.runs')).toEqual([]);
    await accessible(tab);
    await tab.getByRole('button', { name: 'Approve' }).focus();
    await tab.keyboard.press('Enter');
    await tab.getByText('Wiped.').waitFor();
    expect(await tab.evaluate('window.runs')).toEqual([{ harbour: 'Tallinn' }]);
    expect(server.received.filter(({ body }) => body.toolDecisions)).toHaveLength(1);
  });

  it('SVE-42.4 stays small: 12 KB of client, 45 KB with the element, both compressed', async () => {
    const client = await bundled(fileURLToPath(import.meta.resolve('@sveda-ai/core')));
    expect(gzipSync(client).length).toBeLessThanOrEqual(12 * 1024);
    expect(gzipSync(bundle).length).toBeLessThanOrEqual(45 * 1024);
  });

  it('SVE-42.3 states an error and tries again when asked', async () => {
    const { page: tab } = await page([
      refuses(500, 'internal'),
      streams(turn().segment([say('Here.')], 'stop')),
    ]);
    await ask(tab, 'Hello?');
    await tab.getByRole('alert').waitFor();
    expect(await tab.getByRole('alert').textContent()).toContain('It is internal.');
    await tab.getByRole('button', { name: 'Try again' }).click();
    await tab.getByText('Here.').waitFor();
    expect(await tab.getByRole('alert').count()).toBe(0);
  });

  it('SVE-43.1 keeps the token out of URLs and storage', async () => {
    const { page: tab, server } = await page([streams(turn().segment([say('Hi.')], 'stop'))]);
    await ask(tab, 'Hello');
    await tab.getByText('Hi.').waitFor();
    const stored = await tab.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])',
    );
    expect(stored).not.toContain('sveda_embed');
    expect(server.received.some(({ headers }) => headers['x-sveda-embed-token'] === 'sveda_embed_test')).toBe(
      true,
    );
    expect(server.received.filter(({ path }) => path.includes('sveda_embed'))).toEqual([]);
  });
});

async function ask(tab: Page, text: string): Promise<void> {
  await tab.getByRole('textbox', { name: 'Message' }).fill(text);
  await tab.keyboard.press('Enter');
}

async function accessible(tab: Page): Promise<void> {
  await tab.evaluate(axe);
  const found = await tab.evaluate<string[]>(
    'axe.run().then((result) => result.violations.map(({ id }) => id))',
  );
  expect(found).toEqual([]);
}
