import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSession } from '../people/session.ts';
import { servers } from '../mcp/servers.ts';
import { formBrowser } from '../testing/forms.ts';
import { plantPerson } from '../testing/people.ts';
import { called, listedTools, rpc } from '../testing/rpc.ts';
import { testSite } from '../testing/site.ts';

/** What the Sveda server was asked, and what it answers next. */
const asked: { path: string; body: Record<string, string> }[] = [];
let answer: { status: number; body: object };
let sveda: Server;
let site: Awaited<ReturnType<typeof testSite>>;
let wide: string;
beforeAll(async () => {
  sveda = createServer((incoming, outgoing) => void reply(incoming, outgoing)).listen(0, '127.0.0.1');
  await once(sveda, 'listening');
  site = await testSite(servers, {
    SVEDA_ORIGIN: `http://127.0.0.1:${(sveda.address() as AddressInfo).port}`,
    SVEDA_EMBED_HOST_API_KEY: 'k'.repeat(40),
  });
  wide = `${site.origin}/api/mcp`;
});
afterAll(async () => {
  await site.close();
  sveda.close();
});

async function reply(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = (await json(incoming)) as Record<string, string>;
  asked.push({ path: incoming.url ?? '', body });
  outgoing.writeHead(answer.status, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify(answer.body));
}

async function memberBrowser(rights: { superAdmin?: boolean; builder?: boolean }, email: string) {
  const { db } = site.register;
  const id = await plantPerson(db, { email, ...rights });
  const browser = formBrowser(site.origin);
  browser.cookies.set('mervare_session', await createSession(db, id, Date.now()));
  return browser;
}

const minted = { status: 200, body: { token: 'embed-1', visitor_id: 'v', expires_in: 3600 } };
const open = (browser: ReturnType<typeof formBrowser>, from = site.origin) =>
  browser.go('/sveda/session', { method: 'POST', headers: { origin: from } });

describe('MER-51.2 the chat of somebody who has signed in', () => {
  it('calls at the wide door with what that person may do, without builder, control and funding', async () => {
    answer = minted;
    const browser = await memberBrowser({ superAdmin: true, builder: true }, 'ada@mervare.example');
    const response = await open(browser);
    expect(await response.json()).toEqual({
      origin: expect.stringMatching(/^http:\/\/127/),
      token: 'embed-1',
      expires_in: 3600,
    });
    const body = asked.at(-1)?.body ?? {};
    expect(body).toEqual({
      visitor_id: expect.stringMatching(/^member-[\w-]{43}$/),
      host_mcp_url: wide,
      host_mcp_token: expect.stringMatching(/^mv_[\w-]{43}$/),
      ttl: 3600,
    });
    const bearer = body['host_mcp_token'] ?? '';
    const { text: said } = await called(wide, bearer, 'builder_capabilities');
    expect((JSON.parse(said) as { result: { structuredContent: unknown } }).result.structuredContent).toEqual(
      {
        endpoint: wide,
        caller: { credential: 'visitor', name: 'ada@mervare.example' },
        granted: ['author', 'publisher', 'analyst', 'reader', 'harbour', 'discovery'],
        missing: ['builder', 'control', 'funding'].map((scope) => ({
          scope,
          why: 'The chat of the pages never carries it. Connect a client.',
        })),
      },
    );
    for (const path of ['/api/mcp/builder'])
      expect((await rpc(site.origin + path, bearer, 'tools/list')).status).toBe(401);
    const kept = JSON.stringify(await site.register.db.selectFrom('visitor_token').selectAll().execute());
    for (const secret of [bearer, 'embed-1', Buffer.from('embed-1').toJSON().data.join()])
      expect(kept + site.logged.join('')).not.toContain(secret);
  });

  it('SVE-27.4 lists fewer tools than a client of the same person gets: not the snapshot of a page that is before them', async () => {
    answer = minted;
    const browser = await memberBrowser({}, 'eve@mervare.example');
    await open(browser);
    const bearer = asked.at(-1)?.body['host_mcp_token'] ?? '';
    const listed = ['harbour_search', 'harbour_get', 'harbour_query', 'harbour_stats'];
    expect(await listedTools(wide, bearer)).toEqual(listed);
    const call = await rpc(wide, bearer, 'tools/call', { name: 'harbour_page_snapshot', arguments: {} });
    expect(await call.json()).toMatchObject({
      error: { message: expect.stringContaining('harbour_page_snapshot') },
    });
  });

  it('is the same talk in every browser of the person, and not that of the next one at the machine', async () => {
    answer = minted;
    const browser = await memberBrowser({}, 'ben@mervare.example');
    const visitors = [];
    for (let times = 0; times < 2; times++) {
      await open(browser);
      visitors.push(asked.at(-1)?.body['visitor_id']);
    }
    browser.cookies.delete('mervare_session');
    await open(browser);
    const { visitor_id, host_mcp_url } = asked.at(-1)?.body ?? {};
    expect(visitors[0]).toBe(visitors[1]);
    expect(visitor_id).toMatch(/^web-/);
    expect(host_mcp_url).toBe(`${wide}/discovery`);
  });

  it('ends with signing out: the bearer at the next call, and the token at Sveda', async () => {
    answer = { status: 200, body: { token: 'embed-2', visitor_id: 'v', expires_in: 3600 } };
    const browser = await memberBrowser({}, 'cleo@mervare.example');
    await open(browser);
    const bearer = asked.at(-1)?.body['host_mcp_token'] ?? '';
    expect(await listedTools(wide, bearer)).toHaveLength(4);
    expect((await browser.submit('/logout', { csrf: await browser.csrf('/account') })).status).toBe(303);
    expect((await rpc(wide, bearer, 'tools/list')).status).toBe(401);
    expect(asked.at(-1)).toEqual({ path: '/sveda/embed/token/revoke', body: { token: 'embed-2' } });
  });

  it('lets a person leave also while Sveda does not answer', async () => {
    answer = minted;
    const browser = await memberBrowser({}, 'dora@mervare.example');
    await open(browser);
    const bearer = asked.at(-1)?.body['host_mcp_token'] ?? '';
    answer = { status: 503, body: { error: 'unavailable', message: 'Later.' } };
    expect((await browser.submit('/logout', { csrf: await browser.csrf('/account') })).status).toBe(303);
    expect((await rpc(wide, bearer, 'tools/list')).status).toBe(401);
    expect(site.logged.some((line) => line.includes('chats could not be ended'))).toBe(true);
  });

  it('leaves no bearer behind when the mint fails, and is for the pages of the site', async () => {
    answer = { status: 503, body: { error: 'unavailable', message: 'Later.' } };
    const browser = await memberBrowser({}, 'emil@mervare.example');
    expect((await open(browser)).status).toBe(503);
    const bearer = asked.at(-1)?.body['host_mcp_token'] ?? '';
    expect(bearer).toMatch(/^mv_/);
    expect((await rpc(wide, bearer, 'tools/list')).status).toBe(401);
    const before = asked.length;
    expect((await open(browser, 'https://evil.example')).status).toBe(403);
    expect(asked).toHaveLength(before);
  });
});
