import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unsubscribeMark } from '../../apps/mervare/src/mail/marks.ts';
import { siteSecret } from '../../apps/mervare/src/secret/site-secret.ts';
import { launchBrowser } from '../chromium.ts';
import { faultsOf, overflowOf, startMervare, type RunningSite } from './mervare.ts';

const password = 'a harbour at first light';
const secret = 'a secret of the tests of the pages';

let browser: Browser;
let site: RunningSite;
let origin: string;
beforeAll(async () => {
  const started = startMervare({
    MERVARE_ADMIN_PASSWORD: password,
    MERVARE_SECRET: secret,
    BUILDER_AGENT_TOKENS: `ci:builder:${'c'.repeat(40)}`,
  });
  [browser, site] = await Promise.all([launchBrowser(), started]);
  ({ origin } = site);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

async function newPage(options: BrowserContextOptions): Promise<Page> {
  // axe is injected, which the pages' own policy rightly forbids.
  const context = await browser.newContext({ bypassCSP: true, ...options });
  return context.newPage();
}

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await newPage(options);
  await page.goto(new URL(path, origin).href);
  return page;
}

const pages = [
  '/',
  '/harbours',
  '/harbours?near=Tallinn&km=300',
  '/harbours?near=Atlantis',
  '/harbours/tallinn-eetll',
  '/developers/mcp',
  '/login',
  `/mail/unsubscribe/${unsubscribeMark(siteSecret(secret), 'anna@port.example')}`,
];
const looks = [
  ['light, wide', { colorScheme: 'light', viewport: { width: 1200, height: 800 } }],
  ['dark, narrow', { colorScheme: 'dark', viewport: { width: 360, height: 700 } }],
] as const;

describe.each(looks)('the pages, %s', (_look, options) => {
  let page: Page;
  beforeAll(async () => {
    page = await newPage(options);
  });
  afterAll(() => page.context().close());

  it.each(pages)('MER-50.4 are free of faults that axe knows, and fit the width: %s', async (path) => {
    await page.goto(new URL(path, origin).href);
    expect(await faultsOf(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
  });
});

describe.each(looks)('MER-27.7 the pages of those who have signed in, %s', (_look, options) => {
  it('are free of faults that axe knows, and fit the width', async () => {
    const page = await signIn(options);
    for (const path of ['/admin/users', '/account']) {
      await page.goto(new URL(path, origin).href);
      expect([path, await faultsOf(page)]).toEqual([path, []]);
      expect(await overflowOf(page)).toBe(0);
    }
    await page.goto(new URL('/login', origin).href);
    expect(page.url()).toBe(`${origin}/account`);
    await page.context().close();
  });
});

describe('a visitor without a mouse and without script', () => {
  it('MER-50.5 searches near Tallinn and opens a harbour by keyboard alone', async () => {
    const page = await open('/harbours', { javaScriptEnabled: false });
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Name, code or region');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Near a harbour');
    await page.keyboard.type('Tallinn');
    await page.keyboard.press('Enter');
    await page.waitForURL(/near=Tallinn/);
    expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe('3 harbours');
    const links = page.getByRole('main').getByRole('listitem').getByRole('link');
    expect(await links.allTextContents()).toEqual(['Tallinn', 'Muuga', 'Helsingfors (Helsinki)']);
    expect(await page.getByRole('img', { name: 'Map of the harbours in this list' }).isVisible()).toBe(true);
    await links.nth(2).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/helsingfors/);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Helsingfors (Helsinki)');
    expect(
      await page.getByRole('img', { name: 'Map of the coast around Helsingfors (Helsinki)' }).count(),
    ).toBe(1);
    await page.context().close();
  });
});

/** Signs in by keyboard, without a mouse and, unless told otherwise, without script. */
async function signIn(options: BrowserContextOptions = { javaScriptEnabled: false }): Promise<Page> {
  const page = await open('/admin/users', options);
  await page.getByLabel('E-mail').focus();
  await page.keyboard.type('admin@localhost');
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/admin\/users$/);
  return page;
}

describe('MER-27.7 a super admin without a mouse and without script', () => {
  it('signs in, makes a person, gives builder access, withdraws a program and signs out', async () => {
    const page = await signIn();
    await page.getByLabel('Name').fill('Cleo');
    await page.getByLabel('E-mail').fill('cleo@mervare.example');
    await page.getByRole('button', { name: 'Create' }).press('Enter');
    expect(await page.getByRole('main').getByRole('code').textContent()).toMatch(/^[\w-]{20}$/);
    await page.getByRole('link', { name: 'Users' }).press('Enter');
    await page.getByRole('button', { name: 'Grant builder access: cleo@mervare.example' }).press('Enter');
    await page.getByRole('button', { name: 'Withdraw builder access: cleo@mervare.example' }).waitFor();
    await page.getByRole('button', { name: 'Withdraw access: ci' }).press('Enter');
    await page.getByRole('button', { name: 'Grant access: ci' }).waitFor();
    await page.getByRole('link', { name: 'Account' }).press('Enter');
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.waitForURL(new URL('/', origin).href);
    await page.goto(new URL('/admin/users', origin).href);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sign in');
    await page.context().close();
  });
});

describe('a browser that obeys the pages’ policy', () => {
  it('MER-50.6 loads every page from this site alone, and says nothing of it', async () => {
    const complaints: string[] = [];
    const foreign: string[] = [];
    const context = await browser.newContext();
    const page = await context.newPage();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) foreign.push(request.url());
    });
    for (const path of pages.filter((one) => !one.includes('Atlantis')))
      await page.goto(new URL(path, origin).href);
    expect([complaints, foreign]).toEqual([[], []]);
    await context.close();
  });
});

/** The name that a screen reader gives to what has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const { activeElement: at } = document;
    return (at.labels?.[0] ?? at).textContent.trim();
  })()`);
}
