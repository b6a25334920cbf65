import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../chromium.ts';
import { root } from '../workspace.ts';
import { startStack, stackJson, temporaryHome, type RunningStack } from './stack.ts';

let stack: RunningStack;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let home: string;

beforeAll(async () => {
  home = await temporaryHome();
  stack = await startStack(home);
  browser = await launchBrowser();
  context = await browser.newContext({ viewport: { width: 1100, height: 1150 } });
  const { mervare } = await stackJson(home);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: mervare.origin });
  page = await context.newPage();
  await page.goto(`${mervare.origin}/harbours`);
  await ready(page);
});
afterAll(async () => {
  await browser?.close();
  await stack?.destroy();
});

const ready = (tab: Page) => tab.getByRole('button', { name: 'Send' }).and(tab.locator(':enabled')).waitFor();
const answers = () => page.locator('li.assistant').allInnerTexts();

/** Asks once the answer before has come to its end. */
async function ask(text: string): Promise<void> {
  await ready(page);
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
  await page.locator('li.user', { hasText: text }).waitFor();
}

describe('a visitor who asks in the chat of a harbour page', () => {
  it('SVE-44.1 reads real names that Mervare found, through Sveda', async () => {
    await ask('Which harbours are near Tallinn?');
    await page.getByText('It found: Tallinn, Muuga').waitFor();
    expect(await answers()).toHaveLength(1);
    const log = () => readFile(join(home, 'logs', 'mervare.log'), 'utf8');
    const calls = async () => (await log()).match(/"route":"\/api\/mcp\/discovery"/g)?.length;
    await expect.poll(calls).toBeGreaterThanOrEqual(3);
  });

  it('SVE-44.2 has the page point at a harbour on its map', async () => {
    await ask('Highlight Tallinn');
    await page.getByText('"highlighted":"Tallinn"').waitFor();
    expect(await page.locator('.mark.lit title').allTextContents()).toEqual(['Tallinn']);
    if (process.env.PORTOLAN_SCREENSHOT) {
      await writeFile(join(root, 'docs', 'chat.png'), await page.screenshot());
    }
  });

  it('SVE-44.3 is asked before the clipboard is written, approves by keyboard, and it happens once', async () => {
    await ask('Copy the link of the harbour page Tallinn to the clipboard');
    const approve = page.getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('');
    await approve.focus();
    await page.keyboard.press('Enter');
    await page.getByText('"copied"').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/\/harbours\/tallinn-eetll$/);
    await expect.poll(() => approve.count()).toBe(0);
  });

  it('SVE-44.4 finds the same talk again after a reload', async () => {
    await ready(page);
    const before = await answers();
    await page.reload();
    await ready(page);
    await page.getByText('"copied"').waitFor();
    expect(await answers()).toEqual(before);
  });

  it('MER-51.1 keeps the session to its own pages, and the token out of the browser’s storage', async () => {
    const { mervare } = await stackJson(home);
    const foreign = await fetch(`${mervare.origin}/sveda/session`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    });
    expect([foreign.status, ((await foreign.json()) as { error: string }).error]).toEqual([403, 'forbidden']);
    expect((await fetch(`${mervare.origin}/sveda/session`, { method: 'POST' })).status).toBe(403);
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(kept).not.toContain('sveda_embed');
    expect(kept).not.toContain('web-');
    const [cookie] = (await context.cookies()).filter(({ name }) => name === 'mervare_visitor');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  });
});
