import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../chromium.ts';
import { faultsOf, overflowOf, startMervare, type RunningSite } from './mervare.ts';

const password = randomBytes(12).toString('hex');

let browser: Browser;
let site: RunningSite;
let origin: string;
let client: Server;
/** What the browser brought to the client's own address. */
const brought: URL[] = [];

beforeAll(async () => {
  client = createServer((request, response) => {
    const url = new URL(request.url ?? '', redirectUri());
    if (url.pathname === '/callback') brought.push(url);
    const frame = `<iframe title="framed" src="${url.searchParams.get('frame') ?? 'about:blank'}"></iframe>`;
    response.setHeader('content-type', 'text/html').end(`<!doctype html><h1>The client</h1>${frame}`);
  });
  client.listen(0, '127.0.0.1');
  const started = startMervare({ MERVARE_ADMIN_PASSWORD: password });
  [browser, site] = await Promise.all([launchBrowser(), started, once(client, 'listening')]);
  ({ origin } = site);
});
afterAll(async () => {
  await browser?.close();
  client.closeAllConnections();
  client.close();
  await site?.stop();
});

function redirectUri(): string {
  return `http://127.0.0.1:${(client.address() as AddressInfo).port}/callback`;
}

/** An authorization request of a client that has just registered. */
async function request(): Promise<string> {
  const registered = await fetch(`${origin}/api/oauth/register`, {
    method: 'POST',
    body: JSON.stringify({ client_name: 'An editor', redirect_uris: [redirectUri()] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const url = new URL('/api/oauth/authorize', origin);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri(),
    state: 'a-state',
    code_challenge: createHash('sha256').update('verifier').digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  return url.href;
}

/** A page of a new browser, at an authorization request, after signing in on the way. */
async function atConsent(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(await request());
  await page.getByLabel('E-mail').fill('admin@localhost');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
  return page;
}

it('MER-24.9 without script, with the keyboard alone, a person signs in, allows, and is back at the client', async () => {
  const page = await atConsent({ javaScriptEnabled: false });
  await page.getByRole('button', { name: 'Allow' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'The client' }).waitFor();
  expect(Object.fromEntries(brought.at(-1)?.searchParams ?? [])).toEqual({
    code: expect.stringMatching(/^[\w-]{43}$/),
    state: 'a-state',
    iss: origin,
  });
  await page.context().close();
});

it('MER-24.10 a page of another site cannot frame the decision', async () => {
  const page = await atConsent();
  await page.goto(`${redirectUri().replace('/callback', '/')}?frame=${encodeURIComponent(page.url())}`);
  const frame = page.frames().find((one) => one !== page.mainFrame());
  expect(await frame?.getByRole('button', { name: 'Allow' }).count()).toBe(0);
  await page.context().close();
});

it('MER-24.9 MER-26.5 MER-21.7 consent, connections and clients are clean by axe, and a button ends a connection', async () => {
  const page = await atConsent({ bypassCSP: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await faultsOf(page)).toEqual([]);
  }
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await overflowOf(page)).toBe(0);

  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'The client' }).waitFor();
  await page.goto(`${origin}/admin/clients`);
  expect(await faultsOf(page)).toEqual([]);
  await page.goto(`${origin}/account/connections`);
  expect(await faultsOf(page)).toEqual([]);
  const buttons = page.getByRole('button', { name: 'End this connection: An editor' });
  const before = await buttons.count();
  await buttons.first().click();
  await expect.poll(() => buttons.count()).toBe(before - 1);
  await page.context().close();
});
