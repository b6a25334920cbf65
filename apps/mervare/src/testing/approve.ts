import { openBrowser, type Browser, type Page } from './browser.ts';

/** An account that can sign in. */
export interface Account {
  readonly email: string;
  readonly password: string;
}

/** What a person saw and where it led. */
export interface Decided {
  /** The client's address that the browser was sent back to, with its code or its error. */
  readonly callback: URL;
  /** The page on which the person decided. */
  readonly consent: Page;
}

/** A browser in which this person has signed in on the site's own page. */
export async function signIn(site: string, { email, password }: Account): Promise<Browser> {
  const browser = openBrowser(site);
  const page = await browser.submit(await browser.go('/login'), { email, password });
  if (page.status !== 200) throw new Error(`Not signed in: ${page.status} ${page.text}`);
  return browser;
}

/** Brings an authorization request to a signed-in person, who allows or declines it. Throws with the page that has no way on. */
export async function decide(
  browser: Browser,
  request: string | URL,
  decision: 'allow' | 'deny' = 'allow',
): Promise<Decided> {
  const consent = await browser.go(request);
  const { left, status, text } = await browser.submit(consent, { decision });
  if (left === undefined) throw new Error(`Not sent back: ${status} ${text}`);
  return { callback: left, consent };
}

/** A whole authorization, as somebody goes through it who is not signed in yet: the request, the sign-in page, then the consent. */
export async function signInAndApprove(request: string | URL, account: Account): Promise<URL> {
  const browser = openBrowser(new URL(request).origin);
  const login = await browser.go(request);
  const consent = await browser.submit(login, { email: account.email, password: account.password });
  const { left, status, text } = await browser.submit(consent, { decision: 'allow' });
  if (left === undefined) throw new Error(`Not sent back: ${status} ${text}`);
  return left;
}
