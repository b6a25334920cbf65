import { fileURLToPath } from 'node:url';
import { publicFetch } from '@portolan/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RememberedOauth } from '../../apps/mervare/src/testing/oauth-client.ts';
import { account, oauthSite } from '../../apps/mervare/src/testing/oauth.ts';
import { openFront, type Front } from '../front.ts';
import type { Client } from './client.ts';
import { pageOf, passage, type Door, type Passage } from './matrix.ts';
import { inspector, mcpRemote } from './programs.ts';
import { sdk1, sdk2 } from './sdks.ts';

const page = fileURLToPath(new URL('../../docs/generated/clients.md', import.meta.url));

/** Where clients publish what they are, on an internet that has nothing else. */
const document = 'https://clients.example/client.json';
const internet: typeof publicFetch = async (url, options) => {
  if (String(url) !== document) return publicFetch(url, options);
  const redirect_uris = [new RememberedOauth('').redirectUrl, 'http://127.0.0.1/oauth/callback'];
  const body = Buffer.from(JSON.stringify({ client_id: document, client_name: 'A client', redirect_uris }));
  return { url: document, status: 200, headers: new Headers(), body };
};

const official: readonly Client[] = [
  sdk1(),
  sdk2('as it comes'),
  sdk2('auto', 'auto'),
  sdk2('2026-07-28 only', { pin: '2026-07-28' }),
];
const programs: readonly Client[] = [inspector('legacy'), inspector('modern'), mcpRemote];
const withDocument: readonly Client[] = [
  sdk1(document),
  sdk2('auto', 'auto', document),
  inspector('auto', document),
];

let front: Front;
let site: Awaited<ReturnType<typeof oauthSite>>;
const passages: Passage[] = [];
beforeAll(async () => {
  front = await openFront();
  site = await oauthSite(undefined, { MERVARE_ORIGIN: front.origin }, { fetchPublic: internet });
  front.leadTo(site.listening);
});
afterAll(async () => {
  await front.close();
  await site.close();
});

const [old, current] = ['2025-11-25', '2026-07-28'];

/** Sends clients through a door, one after the other, and keeps how it went for the page. */
async function send(clients: readonly Client[], door: Door): Promise<Passage[]> {
  const gone: Passage[] = [];
  for (const client of clients) gone.push(await passage(client, door, front));
  passages.push(...gone);
  return gone;
}

/** What the door saw of each, and what went wrong. */
const seen = (gone: readonly Passage[]) =>
  gone.map(({ first, revision, registration, fault }) => [first, revision, registration, fault]);

describe('a client that was given an address and nothing else', () => {
  it('MER-7.5 MER-21.8 at the wide door: the official clients, by registration', async () => {
    const gone = await send(official, wide);
    expect(seen(gone)).toEqual([
      [401, old, 'registered itself', undefined],
      [401, old, 'registered itself', undefined],
      [401, current, 'registered itself', undefined],
      [401, current, 'registered itself', undefined],
    ]);
    for (const { got } of gone) expectEntitlement(got);
  }, 200_000);

  it('MER-7.5 MER-21.8 at the wide door: the Inspector on a command line, and a bridge to stdio', async () => {
    const gone = await send(programs, wide);
    expect(seen(gone)).toEqual([
      [401, old, 'registered itself', undefined],
      [401, current, 'registered itself', undefined],
      [401, old, 'registered itself', undefined],
    ]);
    for (const { got } of gone) expectEntitlement(got);
  }, 400_000);

  it('MER-7.5 MER-21.8 at the wide door: those that publish a document', async () => {
    const gone = await send(withDocument, wide);
    expect(seen(gone)).toEqual([
      [401, old, 'metadata document', undefined],
      [401, current, 'metadata document', undefined],
      [401, current, 'metadata document', undefined],
    ]);
    for (const { got } of gone) expectEntitlement(got);
  }, 400_000);

  it('MER-7.5 at the builder’s door: the builder and nothing else', async () => {
    const door = { path: '/api/mcp/builder', somebody: builder, tool: 'builder_worker_status', input: {} };
    const gone = await send([...official, sdk2('auto', 'auto', document)], door);
    expect(seen(gone)).toEqual([
      [401, old, 'registered itself', undefined],
      [401, old, 'registered itself', undefined],
      [401, current, 'registered itself', undefined],
      [401, current, 'registered itself', undefined],
      [401, current, 'metadata document', undefined],
    ]);
    for (const { got } of gone) {
      expect(got?.listed.filter((name) => !name.startsWith('builder_'))).toEqual([]);
      expect(got?.listed).toContain('builder_queue_task');
      expect(got?.answered).toBeDefined();
    }
  }, 200_000);

  it('MER-7.5 at the open door: nobody is asked for anything', async () => {
    const input = { near: 'Tallinn' };
    const door = { path: '/api/mcp/discovery', somebody: admin, tool: 'harbour_search', input };
    const gone = await send([...official, mcpRemote], door);
    expect(seen(gone)).toEqual([
      [200, old, 'not asked for', undefined],
      [200, old, 'not asked for', undefined],
      [200, current, 'not asked for', undefined],
      [200, current, 'not asked for', undefined],
      // It asks by GET before anything else, and is told that this is no stream.
      [405, old, 'not asked for', undefined],
    ]);
    for (const { got } of gone) {
      expect(got?.listed).toContain('harbour_stats');
      expect(got?.answered).toMatchObject({
        harbours: expect.arrayContaining([expect.objectContaining({ name: 'Tallinn' })]),
      });
    }
  }, 400_000);

  it('MER-7.5 the page of all of them says what was just seen', async () => {
    await expect(pageOf(passages)).toMatchFileSnapshot(page);
  });
});

let people = 0;
const somebody = (rights: { isSuperAdmin: boolean; isBuilder: boolean }) =>
  account(site.db, { email: `person-${(people += 1)}@example.com`, ...rights });
const admin = () => somebody({ isSuperAdmin: true, isBuilder: false });
const builder = () => somebody({ isSuperAdmin: false, isBuilder: true });

/** The door of everything, before which an administrator stands. */
const wide: Door = { path: '/api/mcp', somebody: admin, tool: 'survey_capabilities', input: {} };

/** What a super admin without a builder grant is given there. */
function expectEntitlement(got: Passage['got']): void {
  const granted = 'author publisher analyst reader harbour discovery control funding'.split(' ');
  expect(got?.answered).toMatchObject({ caller: { credential: 'oauth' }, granted });
  expect(got?.listed).toEqual(
    expect.arrayContaining(['survey_capabilities', 'harbour_get', 'logbook_stats']),
  );
}
