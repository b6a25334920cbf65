/** Where a browser without script has come to. */
export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The address outside of the site that it was sent to, and did not follow. */
  readonly left?: URL;
}

/** A browser of one person: it keeps cookies by path, follows redirects inside the site, and sends forms. */
export interface Browser {
  go(url: string | URL, init?: RequestInit): Promise<Page>;
  /** Sends the form of a page that has these fields, with what the page put into its other fields. */
  submit(page: Page, fields: Readonly<Record<string, string>>): Promise<Page>;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

export function openBrowser(site: string): Browser {
  let jar: readonly Cookie[] = [];

  async function go(url: string | URL, init: RequestInit = {}): Promise<Page> {
    let target = new URL(url, site);
    let request = init;
    for (let hops = 0; hops < 20; hops += 1) {
      const headers = new Headers(request.headers);
      headers.set('cookie', cookiesFor(jar, target.pathname));
      const response = await fetch(target, { ...request, headers, redirect: 'manual' });
      jar = merged(jar, response.headers.getSetCookie());
      const seen = { url: target, status: response.status, headers: response.headers };
      const text = await response.text();
      const location = response.headers.get('location');
      if (location === null) return { ...seen, text };
      target = new URL(location, target);
      if (target.origin !== new URL(site).origin) return { ...seen, text, left: target };
      request = {};
    }
    throw new Error('Redirected in a circle');
  }

  return {
    go,
    submit(page, fields) {
      const form = formsOf(page.text).find((one) => Object.keys(fields).every((name) => one.names.has(name)));
      if (form === undefined)
        throw new Error(`No form with ${Object.keys(fields).join(', ')}: ${page.status} ${page.text}`);
      const body = new URLSearchParams({ ...form.values, ...fields });
      const headers = { origin: page.url.origin };
      return go(new URL(form.action, page.url), { method: 'POST', headers, body });
    },
  };
}

function cookiesFor(jar: readonly Cookie[], path: string): string {
  return jar
    .filter((cookie) => path.startsWith(cookie.path))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
}

function merged(jar: readonly Cookie[], set: readonly string[]): readonly Cookie[] {
  return set.reduce((kept, line) => {
    const [pair = '', ...attributes] = line.split(/;\s*/);
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/';
    const others = kept.filter((one) => one.name !== name || one.path !== path);
    const ended = value === '' || attributes.some((one) => /^max-age=0$|^expires=.* 1970 /i.test(one));
    return ended ? others : [...others, { name, value, path }];
  }, jar);
}

function formsOf(text: string) {
  return [...text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head = '', inside = '']) => {
    const fields = [...inside.matchAll(/<(?:input|button)\b([^>]*)>/g)].map(([, tag = '']) => ({
      name: attribute(tag, 'name'),
      value: attribute(tag, 'value'),
      pressed: attribute(tag, 'type') !== 'submit',
    }));
    return {
      action: attribute(head, 'action'),
      names: new Set(fields.map(({ name }) => name)),
      values: Object.fromEntries(
        fields.filter(({ pressed }) => pressed).map(({ name, value }) => [name, value]),
      ),
    };
  });
}

function attribute(tag: string, name: string): string {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  return found.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}
