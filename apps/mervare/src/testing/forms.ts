/** A browser as far as single requests with cookies go: redirects and refusals are shown, not followed. */
export function formBrowser(origin: string) {
  const cookies = new Map<string, string>();

  async function go(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string> | undefined), ...(cookie && { cookie }) };
    const response = await fetch(new URL(path, origin), { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  /** Sends a form as a page of `from` would. */
  function submit(
    path: string,
    fields: Readonly<Record<string, string>>,
    from: string = origin,
  ): Promise<Response> {
    return go(path, { method: 'POST', headers: { origin: from }, body: new URLSearchParams(fields) });
  }

  return {
    cookies,
    go,
    submit,
    /** The secret of the first form on a page. */
    async csrf(path: string): Promise<string> {
      const page = await (await go(path)).text();
      return /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
    },
    signIn: (email: string, password: string, next?: string) =>
      submit('/login', { email, password, ...(next && { next }) }),
  };
}
