import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { publicFetch, type PublicAnswer } from '@portolan/http';
import * as v2 from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { sql } from 'kysely';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decide } from '../testing/approve.ts';
import { RememberedOauth } from '../testing/oauth-client.ts';
import { authorization, connect, oauthSite, redeem, REDIRECT, refresh } from '../testing/oauth.ts';
import { listedTools } from '../testing/rpc.ts';

/** Documents of clients, as the internet would give them. */
const documents = new Map<string, object | string>();
let reads = 0;

/** Stands for the internet; everything but these documents is left to the real one, with its guard. */
const internet: typeof publicFetch = async (url, options) => {
  const document = documents.get(String(url));
  if (document === undefined) return publicFetch(url, options);
  reads += 1;
  const body = Buffer.from(typeof document === 'string' ? document : JSON.stringify(document));
  return { url: String(url), status: 200, headers: new Headers(), body } satisfies PublicAnswer;
};

let site: Awaited<ReturnType<typeof oauthSite>>;
beforeAll(async () => {
  site = await oauthSite(undefined, undefined, { fetchPublic: internet });
});
afterAll(() => site.close());

describe('clients that know nothing but the address', () => {
  it('MER-21.3 the official v1 client registers, is let in, calls and refreshes', async () => {
    const memory = new RememberedOauth('v1 client');
    const endpoint = new URL(`${site.origin}/api/mcp`);
    const open = () => new V1Transport(endpoint, { authProvider: memory });
    const first = open();
    await expect(new V1Client({ name: 'a', version: '1' }).connect(first)).rejects.toThrow();
    const { callback } = await decide(await site.as('admin'), memory.asked ?? '');
    await first.finishAuth(callback.searchParams.get('code') ?? '');

    const client = new V1Client({ name: 'a', version: '1' });
    await client.connect(open());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('harbour_search');
    const { structuredContent } = await client.callTool({ name: 'survey_capabilities', arguments: {} });
    expect(structuredContent).toMatchObject({ granted: expect.arrayContaining(['author', 'control']) });

    site.clock.ahead = 1_000_000; // The access token has ended, the refresh token has not.
    expect((await client.listTools()).tools.length).toBe(tools.length);
    site.clock.ahead = 0;
    await client.close();
  });

  it('MER-21.3 the official v2 client does the same at the builder endpoint, and checks the issuer', async () => {
    const memory = new RememberedOauth('v2 client');
    const endpoint = new URL(`${site.origin}/api/mcp/builder`);
    const open = () => new v2.StreamableHTTPClientTransport(endpoint, { authProvider: memory });
    const first = open();
    await expect(new v2.Client({ name: 'a', version: '1' }).connect(first)).rejects.toThrow();
    expect(memory.asked?.searchParams.get('scope')).toBe('builder');
    const { callback } = await decide(await site.as('builder'), memory.asked ?? '');
    const mixedUp = new URLSearchParams(callback.searchParams);
    mixedUp.set('iss', 'https://elsewhere.example');
    await expect(open().finishAuth(mixedUp)).rejects.toThrow(v2.IssuerMismatchError);
    await open().finishAuth(callback.searchParams);

    const client = new v2.Client({ name: 'a', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(open());
    const { structuredContent } = await client.callTool({ name: 'builder_capabilities', arguments: {} });
    expect(structuredContent).toMatchObject({ granted: ['builder'] });
    await client.close();
  });

  it('MER-20.4 MER-22.6 MER-23.11 a strict client library goes through discovery, registration, PKCE, issuer check, refresh and revocation', async () => {
    const loose = { [oauth.allowInsecureRequests]: true } as const;
    const issuer = new URL(site.origin);
    const resource = await oauth.resourceDiscoveryRequest(new URL(`${site.origin}/api/mcp`), loose);
    const protectedBy = await oauth.processResourceDiscoveryResponse(
      new URL(`${site.origin}/api/mcp`),
      resource,
    );
    expect(protectedBy.authorization_servers).toEqual([site.origin]);
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...loose });
    const server = await oauth.processDiscoveryResponse(issuer, discovered);
    const registered = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        server,
        { redirect_uris: [REDIRECT], grant_types: ['authorization_code', 'refresh_token'] },
        loose,
      ),
    );
    const client: oauth.Client = { client_id: registered.client_id };
    const { url, verifier } = authorization(site.origin, client.client_id);
    const { callback } = await decide(await site.as('member'), url);
    const answer = oauth.validateAuthResponse(server, client, callback, 'a-state');
    const none = oauth.None();
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(server, client, none, answer, REDIRECT, verifier, loose),
    );
    const renewed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, none, tokens.refresh_token ?? '', loose),
    );
    expect(await listedTools(`${site.origin}/api/mcp`, renewed.access_token)).toContain('harbour_get');
    const token = renewed.refresh_token ?? '';
    await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, none, token, loose));
    const refused = await oauth.refreshTokenGrantRequest(server, client, none, token, loose);
    await expect(oauth.processRefreshTokenResponse(server, client, refused)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe('clients with a metadata document', () => {
  const id = 'https://client.example/oauth.json';
  const document = {
    client_id: id,
    client_name: 'A client with a document',
    redirect_uris: [REDIRECT, 'https://client.example/cb'],
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'author',
    token_endpoint_auth_method: 'private_key_jwt',
  };

  it('MER-21.4 are known by it, without registration: read once, kept for a while, shown and listed by name', async () => {
    documents.set(id, document);
    const before = reads;
    const person = await site.as('admin');
    const { url, verifier } = authorization(site.origin, id, { redirect_uri: 'http://127.0.0.1:4/callback' });
    const { callback, consent } = await decide(person, url);
    expect(consent.text).toContain('A client with a document');
    const redirect = { redirect_uri: 'http://127.0.0.1:4/callback' };
    const response = await redeem(site.origin, id, { callback, verifier }, redirect);
    expect(await response.json()).toMatchObject({ scope: expect.stringContaining('author publisher') });
    await connect(site.origin, person, { client_id: id });
    expect(reads).toBe(before + 1);
    expect((await person.go('/account/connections')).text).toContain('A client with a document');
    expect((await person.go('/admin/clients')).text).toContain(id);
  });

  it('MER-21.4 the official v2 client presents one', async () => {
    const address = 'https://v2.example/client';
    const memory = new RememberedOauth('v2 with a document', address);
    documents.set(address, { ...memory.clientMetadata, client_id: address });
    const endpoint = new URL(`${site.origin}/api/mcp`);
    const open = () => new v2.StreamableHTTPClientTransport(endpoint, { authProvider: memory });
    await expect(new v2.Client({ name: 'a', version: '1' }).connect(open())).rejects.toThrow();
    expect(memory.asked?.searchParams.get('client_id')).toBe(address);
    const { callback } = await decide(await site.as('member'), memory.asked ?? '');
    await open().finishAuth(callback.searchParams);
    const client = new v2.Client({ name: 'a', version: '1' });
    await client.connect(open());
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('harbour_search');
    await client.close();
  });

  it('MER-21.5 are refused on our page where the document does not hold', async () => {
    const place = (name: string) => `https://client.example/${name}`;
    documents.set(place('other-id'), { ...document, client_id: id });
    documents.set(place('no-id'), { redirect_uris: [REDIRECT] });
    documents.set(place('no-redirects'), {
      ...document,
      client_id: place('no-redirects'),
      redirect_uris: [],
    });
    documents.set(place('bad-redirects'), {
      ...document,
      client_id: place('bad-redirects'),
      redirect_uris: ['javascript:alert(1)'],
    });
    documents.set(place('no-json'), '<html>');
    documents.set(place('array'), '[]');
    for (const name of ['other-id', 'no-id', 'no-redirects', 'bad-redirects', 'no-json', 'array']) {
      const response = await fetch(authorization(site.origin, place(name)).url, { redirect: 'manual' });
      expect([name, response.status, response.headers.get('location')]).toEqual([name, 400, null]);
    }
    documents.set(id, document);
    const foreign = authorization(site.origin, id, { redirect_uri: 'https://evil.test/' });
    expect((await fetch(foreign.url, { redirect: 'manual' })).status).toBe(400);
  });

  it('MER-21.6 are read from the open internet alone: addresses of this machine and its networks are never asked', async () => {
    let heard = 0;
    const inner = createServer((socket) => {
      heard += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(inner, 'listening');
    const { port } = inner.address() as AddressInfo;
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433']) {
      const address = `https://${host}:${port}/client.json`;
      const response = await fetch(authorization(site.origin, address).url, { redirect: 'manual' });
      expect([host, response.status]).toEqual([host, 400]);
      expect(await response.text()).not.toContain('ECONN');
    }
    expect(heard).toBe(0);
    expect(site.logged.filter((line) => line.includes('"code":"not_public"'))).toHaveLength(5);
    inner.close();
  });

  it('MER-21.6 are not read as often as somebody likes: the token endpoint is limited by address too', async () => {
    const broken = (name: string) => `https://client.example/broken/${name}`;
    for (const name of ['first', 'last', 'beyond']) documents.set(broken(name), '<html>');
    const status = async (name: string) => (await refresh(site.origin, broken(name), 'nothing')).status;
    expect(await status('first')).toBe(400);
    // As if so many had come at other nodes, with a minute that does not end before this test does.
    await sql`update throttle set points = 599, expire = expire + 3600000 where key like 'oauth-token:%'`.execute(
      site.db,
    );
    const before = reads;
    expect([await status('last'), await status('beyond'), reads - before]).toEqual([400, 429, 1]);
  });
});
