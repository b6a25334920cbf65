import { once } from 'node:events';
import { connect as dial } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formBrowser } from '../../apps/mervare/src/testing/forms.ts';
import { connect, oauthSite } from '../../apps/mervare/src/testing/oauth.ts';

let site: Awaited<ReturnType<typeof oauthSite>>;
let token: string;
beforeAll(async () => {
  site = await oauthSite();
  token = (await connect(site.origin, await site.as('admin'))).tokens.access_token;
});
afterAll(() => site.close());

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

/** A request as it stands on the wire, its lines as they are given. */
function wire(lines: readonly string[], body = list, length = Buffer.byteLength(body)): string {
  const { host } = new URL(site.origin);
  const always = ['POST /api/mcp HTTP/1.1', `Host: ${host}`, 'Accept: application/json, text/event-stream'];
  return [...always, 'Content-Type: application/json', ...lines, `Content-Length: ${length}`, '', body].join(
    '\r\n',
  );
}

/** The statuses of all answers to these bytes, the last of which asks to close. */
async function statuses(bytes: string): Promise<number[]> {
  const { hostname, port } = new URL(site.origin);
  const socket = dial(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(bytes);
  const answers = await text(socket);
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((found) => Number(found[1]));
}

const close = 'Connection: close';

describe('a credential where none is looked for', () => {
  it('MER-10.6 counts in one form only: one header of the name, one scheme, one token', async () => {
    const good = `Bearer ${token}`;
    expect(await statuses(wire([`Authorization: ${good}`, close]))).toEqual([200]);
    for (const header of [
      `Authorization: Bearer other, ${good}`,
      `Authorization: ${good}, Bearer other`,
      `Authorization: Basic ${Buffer.from(`admin:${token}`).toString('base64')}`,
      `Authorization: ${token}`,
      `Authorization: Bearer\t${token}`,
      `Authorization: Bearer "${token}"`,
      `Authorization: Bearer ${encodeURIComponent(`${token} `)}`,
      `Proxy-Authorization: ${good}`,
      `X-Authorization: ${good}`,
      `X-Forwarded-Authorization: ${good}`,
      `X-Forwarded-User: admin@example.com`,
      `Cookie: access_token=${token}; Authorization=${token}`,
    ])
      expect([header, await statuses(wire([header, close]))]).toEqual([header, [401]]);
  });

  it('MER-10.6 is not taken out of a body, whatever its form (RFC 6750 §2.2)', async () => {
    const form = await fetch(`${site.origin}/api/mcp`, {
      method: 'POST',
      body: new URLSearchParams({ access_token: token }),
    });
    expect(form.status).toBe(401);
    const params = { access_token: token, _meta: { authorization: `Bearer ${token}` } };
    const inside = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params });
    expect(await statuses(wire([close], inside))).toEqual([401]);
  });

  it('MER-10.6 is not the session of a browser, on whose behalf any page could ask', async () => {
    const { email, password } = await site.accountOf('admin');
    const person = formBrowser(site.origin);
    await person.signIn(email, password);
    expect((await person.go('/account')).status).toBe(200);
    const headers = { 'content-type': 'application/json', origin: site.origin };
    const called = await person.go('/api/mcp', { method: 'POST', headers, body: list });
    expect(called.status).toBe(401);
  });
});

describe('requests that hide in others', () => {
  it('MER-10.7 share a connection, and never a credential', async () => {
    const authorised = wire([`Authorization: Bearer ${token}`]);
    expect(await statuses(authorised + wire([]) + authorised + wire([close]))).toEqual([200, 401, 200, 401]);
  });

  it('MER-10.7 are not found behind two lengths, a folded header or a space before the colon', async () => {
    const hidden = wire([`Authorization: Bearer ${token}`, close]);
    const chunked = `Transfer-Encoding: chunked`;
    for (const bytes of [
      wire([chunked], `0\r\n\r\n${hidden}`),
      wire([`Content-Length: 0`], hidden),
      wire([`Authorization : Bearer ${token}`, close]),
      wire([`Authorization:\r\n Bearer ${token}`, close]),
      wire([`X: \r\nAuthorization: Bearer ${token}\r`, close]),
    ])
      expect([bytes, await statuses(bytes)]).toEqual([bytes, [400]]);
  });
});
