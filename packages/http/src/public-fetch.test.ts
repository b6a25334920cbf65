import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';
import { publicFetch, type PublicFetchOptions } from './public-fetch.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.close();
    if ('closeAllConnections' in server) (server.closeAllConnections as () => void)();
    await once(server, 'close');
  }
});

/** A real server on loopback; resolves with its port. */
async function opened(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const serve = (listener: RequestListener) => opened(createServer(listener));

/** Loopback counts as public here, so that a real server can stand for one of the internet. */
const asPublic: PublicFetchOptions = {
  maxBytes: 1000,
  timeoutMs: 10_000,
  schemes: ['http:', 'https:'],
  also: ['127.0.0.1'],
};
const guarded: PublicFetchOptions = { maxBytes: 1000, timeoutMs: 10_000, schemes: ['http:', 'https:'] };

describe('public addresses', () => {
  for (const address of ['1.1.1.1', '8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1111', '192.1.0.1'])
    it(`takes ${address}`, () => expect(isPublicAddress(address)).toBe(true));

  const refused = `
    0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255
    192.0.0.8 192.0.2.1 192.168.1.1 198.18.0.1 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1
    ::ffff:127.0.0.1 ::ffff:7f00:1 ::127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: 2001::1 2001:db8::1 fc00::1
    fd12::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 100::1 4000::1 localhost 1.2.3 0x7f.1
  `;
  for (const address of ['', ...refused.trim().split(/\s+/)])
    it(`refuses '${address}'`, () => expect(isPublicAddress(address)).toBe(false));
});

describe('fetching what somebody else chose', () => {
  it('brings status, headers, body and the address that answered', async () => {
    const port = await serve((request, response) => {
      response.writeHead(203, { 'content-type': 'text/plain', 'x-sent': String(request.headers['x-asked']) });
      response.end(`${request.method} ${request.url} ${request.headers.host}`);
    });
    const url = `http://127.0.0.1:${port}/a?b=c`;
    const answer = await publicFetch(url, { ...asPublic, headers: { 'x-asked': 'yes' } });
    expect([answer.url, answer.status, answer.headers.get('x-sent')]).toEqual([url, 203, 'yes']);
    expect(answer.body.toString()).toBe(`GET /a?b=c 127.0.0.1:${port}`);
  });

  it('refuses every spelling of an address that is not public, and never connects', async () => {
    let heard = 0;
    const port = await serve((_request, response) => response.end(String((heard += 1))));
    const spellings =
      '127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 [::1] [::ffff:127.0.0.1] ' +
      'localhost 10.0.0.1 192.168.0.1 169.254.169.254 [fe80::1] 0.0.0.0 [::]';
    for (const host of spellings.split(' '))
      await expect(publicFetch(`http://${host}:${port}/`, guarded), host).rejects.toMatchObject({
        code: 'not_public',
      });
    expect(heard).toBe(0);
  });

  it('judges a name by all of its addresses', async () => {
    const resolve = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ];
    const mixed = publicFetch('http://mixed.test/', { ...guarded, resolve });
    await expect(mixed).rejects.toMatchObject({ code: 'not_public' });
    const none = publicFetch('http://none.test/', { ...guarded, resolve: async () => [] });
    await expect(none).rejects.toMatchObject({ code: 'not_public' });
  });

  it('asks for a name once and connects to what was checked, whatever the name says later', async () => {
    const port = await serve((request, response) => response.end(request.headers.host));
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.7', family: 4 }];
    };
    const answer = await publicFetch(`http://rebinding.test:${port}/`, { ...asPublic, resolve });
    expect([answer.body.toString(), asked]).toEqual([`rebinding.test:${port}`, 1]);
  });

  it('follows no redirect unless told, and checks every one that it follows', async () => {
    const places: Record<string, string> = {
      '/there': '/here',
      '/private': 'http://10.0.0.1/',
      '/loopback': 'http://127.0.0.2/',
      '/name': 'http://inner.test/',
      '/file': 'file:///etc/passwd',
      '/secret': 'http://user:password@example.com/',
      '/round': '/round',
    };
    const port = await serve((request, response) => {
      const location = places[request.url ?? ''];
      if (location !== undefined) response.writeHead(302, { location });
      response.end('here');
    });
    const get = (path: string, redirects?: number) =>
      publicFetch(`http://127.0.0.1:${port}${path}`, {
        ...asPublic,
        resolve: async () => [{ address: '10.0.0.7', family: 4 }],
        ...(redirects !== undefined && { redirects }),
      });

    await expect(get('/there')).rejects.toMatchObject({ code: 'redirect' });
    expect((await get('/there', 1)).url).toBe(`http://127.0.0.1:${port}/here`);
    for (const path of ['/private', '/loopback', '/name'])
      await expect(get(path, 3), path).rejects.toMatchObject({ code: 'not_public' });
    for (const path of ['/file', '/secret'])
      await expect(get(path, 3), path).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(get('/round', 3)).rejects.toMatchObject({ code: 'redirect' });
  });

  it('takes HTTPS alone unless told, and no address with a password', async () => {
    const options = { maxBytes: 10, timeoutMs: 1000 };
    for (const url of ['http://example.com/', 'ftp://example.com/', 'nonsense', 'https://a:b@example.com/'])
      await expect(publicFetch(url, options), url).rejects.toMatchObject({ code: 'not_allowed' });
  });

  it('stops at the limit, declared or not, and takes nothing compressed', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/declared') response.setHeader('content-length', 1001).write('x');
      else if (request.url === '/zipped') response.setHeader('content-encoding', 'gzip').end('x');
      else if (request.url === '/endless') response.on('drain', () => response.write('x'.repeat(500)));
      if (request.url === '/endless') response.write('x'.repeat(100_000));
      if (request.url === '/exact') response.end('x'.repeat(1000));
    });
    const get = (path: string) => publicFetch(`http://127.0.0.1:${port}${path}`, asPublic);
    await expect(get('/declared')).rejects.toMatchObject({ code: 'too_large' });
    await expect(get('/endless')).rejects.toMatchObject({ code: 'too_large' });
    await expect(get('/zipped')).rejects.toMatchObject({ code: 'encoding' });
    expect((await get('/exact')).body).toHaveLength(1000);
  });

  it('gives up on a server that is slow in its head, in its body, or never answers', async () => {
    const silent = await opened(createTcpServer((socket) => void socket.resume()));
    const dripping = await serve((_request, response) => void response.write('x'));
    for (const port of [silent, dripping])
      await expect(
        publicFetch(`http://127.0.0.1:${port}/`, { ...asPublic, timeoutMs: 100 }),
      ).rejects.toMatchObject({ code: 'timeout' });
  });

  it('says why a caller gave up, and hides what the network said', async () => {
    const silent = await opened(createTcpServer((socket) => void socket.resume()));
    const giving = new AbortController();
    const asked = publicFetch(`http://127.0.0.1:${silent}/`, { ...asPublic, signal: giving.signal });
    giving.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');

    const resolve = () => Promise.reject(new Error('ENOTFOUND of an inner name server'));
    const nowhere = publicFetch('http://nowhere.test/', { ...asPublic, resolve });
    await expect(nowhere).rejects.toMatchObject({
      code: 'unreachable',
      message: 'The address could not be reached.',
    });
  });
});
