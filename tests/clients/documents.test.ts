import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabase } from '@portolan/store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrations } from '../../apps/mervare/src/migrations.ts';
import { signInAndApprove } from '../../apps/mervare/src/testing/approve.ts';
import { certify } from '../../apps/mervare/src/testing/certificate.ts';
import { start } from '../../apps/mervare/src/testing/command.ts';
import { authorization, redeem, REDIRECT, type Tokens } from '../../apps/mervare/src/testing/oauth.ts';
import { listedTools } from '../../apps/mervare/src/testing/rpc.ts';

const admin = { email: 'admin@localhost', password: randomBytes(12).toString('hex') };
let folder: string;
let database: Awaited<ReturnType<typeof testDatabase>>;
let site: ReturnType<typeof start>;
let origin: string;
const homes: Server[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documents-'));
  database = await testDatabase({ app: 'mervare', migrations });
  const { certificate } = await certify(folder, 'known');
  site = start(['serve', '--port', '0'], {
    MERVARE_DATA: folder,
    DATABASE_URL: database.url,
    MERVARE_ADMIN_PASSWORD: admin.password,
    MERVARE_CLIENT_NETWORKS: '127.0.0.1,::1',
    NODE_EXTRA_CA_CERTS: certificate,
  });
  origin = String((await site.logged('ready'))['origin']);
});
afterAll(async () => {
  site.child.kill('SIGTERM');
  await site.ended;
  for (const home of homes) home.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** The site of a client, over TLS with this certificate: the client's id, and what of it was read. */
async function clientAt(name: string) {
  const read: (string | undefined)[] = [];
  const [key, cert] = await Promise.all(
    ['key', 'pem'].map((end) => readFile(join(folder, `${name}.${end}`))),
  );
  if (!key || !cert) throw new Error('No certificate');
  const home = createServer({ key, cert }, (request, response) => {
    read.push(request.url);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ client_id: id, client_name: `The ${name} client`, redirect_uris: [REDIRECT] }),
    );
  }).listen(0, 'localhost');
  homes.push(home);
  await once(home, 'listening');
  const id = `https://localhost:${(home.address() as AddressInfo).port}/client.json`;
  return { id, read };
}

it('MER-21.9 a document is read over TLS where the operator allows its network, and its client comes to a token that works', async () => {
  const { id, read } = await clientAt('known');
  const { url, verifier } = authorization(origin, id);
  const callback = await signInAndApprove(url, admin);
  const answer = await redeem(origin, id, { callback, verifier });
  const { access_token, scope } = (await answer.json()) as Tokens;
  expect([answer.status, scope.split(' ')]).toEqual([200, expect.arrayContaining(['author', 'discovery'])]);
  expect(await listedTools(`${origin}/api/mcp`, access_token)).toContain('harbour_search');
  expect(read).toEqual(['/client.json']);
});

it('MER-21.9 a document behind a certificate that nobody vouches for is not read, and its client is refused on our page', async () => {
  await certify(folder, 'unknown');
  const { id, read } = await clientAt('unknown');
  const response = await fetch(authorization(origin, id).url, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  expect(await site.logged('client document not read')).toMatchObject({ client: id, code: 'unreachable' });
  expect(read).toEqual([]);
});
