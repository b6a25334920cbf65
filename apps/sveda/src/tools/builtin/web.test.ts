import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { SvedaEvent } from '@sveda-ai/protocol';
import { closing, offeredIn, talk } from '../../testing/opened.ts';

/** A web server on loopback. */
async function site(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing({
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What each call answered, in the order of the calls: structured content, or the words of the failure. */
async function answers(yaml: string, calls: { name: string; args: Record<string, unknown> }[]) {
  const { visitor } = await talk({
    yaml,
    model: (_request, index) => (index === 0 ? { calls } : { text: 'Done.' }),
  });
  const events = await visitor.stream({ message: { text: 'Look' } });
  return calls.map((_, at) => {
    const call = events.filter(({ type }) => type === 'tool.call')[at] as Extract<
      SvedaEvent,
      { type: 'tool.call' }
    >;
    const result = events.find(
      (event) => event.type === 'tool.result' && event.toolCallId === call.toolCallId,
    );
    if (result?.type !== 'tool.result') return undefined;
    return result.structuredContent ?? (result.content[0] as { text: string }).text;
  });
}

const fetching = (url: string, more: Record<string, unknown> = {}) => ({
  name: 'web_fetch',
  args: { url, ...more },
});
const LOOPBACK = 'web: { networks: [127.0.0.0/8] }';

describe('the web tools', () => {
  it('SVE-20.3 are there where the operator attached them, the search where one is configured', async () => {
    const offered = async (yaml: string) => {
      const { visitor, requests } = await talk({ yaml, model: () => ({ text: 'Hello.' }) });
      await visitor.stream({ message: { text: 'Hi' } });
      return offeredIn(requests[0]);
    };
    expect(await offered('')).toEqual([]);
    expect(await offered('web: {}')).toEqual(['web_fetch']);
    expect(await offered("web: { search: { url: 'https://search.example.com/?q={query}' } }")).toEqual([
      'web_fetch',
      'web_search',
    ]);
  });

  it('SVE-20.4 reach public addresses only, whatever form they have and wherever they redirect', async () => {
    let asked = 0;
    const origin = await site((_request, response) => {
      asked += 1;
      response.end('secret');
    });
    const { port } = new URL(origin);
    const tried = [
      origin,
      `http://localhost:${port}`,
      `http://[::1]:${port}/`,
      `http://0.0.0.0:${port}/`,
      `http://2130706433:${port}/`,
      `http://0x7f.1:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      'http://169.254.169.254/latest/meta-data/',
      'http://10.0.0.1/',
      'http://[fd00::1]/',
      'file:///etc/passwd',
      'ftp://example.com/',
      `http://user:pass@127.0.0.1:${port}/`,
      'nonsense',
    ];
    const said = await answers(
      'web: {}',
      tried.map((url) => fetching(url)),
    );
    expect(said.map((text) => /open internet|must begin|must not carry/.test(JSON.stringify(text)))).toEqual(
      tried.map(() => true),
    );
    expect(asked).toBe(0);
  });

  it('SVE-20.4 check every redirect like the first address', async () => {
    let inside = 0;
    const hidden = await site((_request, response) => {
      inside += 1;
      response.end('secret');
    });
    const away = await site((request, response) => {
      const to = request.url === '/in' ? hidden.replace('127.0.0.1', '[::1]') : `${request.url}x`;
      response.writeHead(302, { location: to }).end();
    });
    const [toInside, endless] = await answers(LOOPBACK, [fetching(`${away}/in`), fetching(`${away}/loop`)]);
    expect(toInside).toBe('The address does not lie on the open internet.');
    expect(endless).toBe('The address redirects, once too often.');
    expect(inside).toBe(0);
  });

  it('SVE-20.5 read pages as text: bounded while reading, without what is hidden, in the page’s encoding', async () => {
    const origin = await site((request, response) => {
      const html = { 'content-type': 'text/html; charset=windows-1257' };
      switch (request.url) {
        case '/page':
          response.writeHead(200, html);
          return response.end(
            Buffer.concat([
              Buffer.from(
                '<html><head><title>Sadam &amp; kai</title><style>p{}</style></head><body><script>evil()</script><h1>Tallinn</h1><p>Vana',
              ),
              Buffer.from([0xf5]),
              Buffer.from('sadam</p><a href="https://x.example/">link</a></body></html>'),
            ]),
          );
        case '/endless': {
          response.writeHead(200, { 'content-type': 'text/plain' });
          const more = () => void (response.writable && response.write('x'.repeat(65_536), more));
          return more();
        }
        case '/image':
          return response.writeHead(200, { 'content-type': 'image/png' }).end('x');
        default:
          return response.writeHead(200, { 'content-type': 'text/plain' }).end('a'.repeat(500));
      }
    });
    const [page, endless, image, long] = await answers(LOOPBACK, [
      fetching(`${origin}/page`),
      fetching(`${origin}/endless`),
      fetching(`${origin}/image`),
      fetching(`${origin}/long`, { maxCharacters: 100 }),
    ]);
    expect(page).toEqual({
      url: `${origin}/page`,
      status: 200,
      title: 'Sadam & kai',
      text: 'Tallinn\n\nVanaõsadam\n\nlink',
      truncated: false,
    });
    expect(endless).toBe('The answer has more than 1500000 bytes.');
    expect(image).toBe('The address answers something that is not text.');
    expect(long).toEqual({ url: `${origin}/long`, status: 200, text: 'a'.repeat(100), truncated: true });
  });

  it('SVE-20.6 search by the endpoint of the configuration', async () => {
    const asked: unknown[] = [];
    const origin = await site((request, response) => {
      asked.push([request.url, request.headers.authorization]);
      if (request.url?.includes('broken')) return response.writeHead(500).end('inner secret');
      const hit = { name: 'Tallinn', link: 'https://x.example/', more: 'Port.' };
      return response.end(
        JSON.stringify({ data: { hits: [hit, { ...hit, link: 'javascript:alert(1)' }, hit] } }),
      );
    });
    const search = {
      url: `${origin}/?q={query}&n={count}`,
      headers: { authorization: 'Bearer s' },
      results: '/data/hits',
      fields: { title: 'name', url: 'link', excerpt: 'more' },
    };
    const [found, broken] = await answers(`web: ${JSON.stringify({ search })}`, [
      { name: 'web_search', args: { query: 'õ & b', count: 3 } },
      { name: 'web_search', args: { query: 'broken' } },
    ]);
    const hit = { title: 'Tallinn', url: 'https://x.example/', excerpt: 'Port.' };
    expect(found).toEqual({ results: [hit, hit] });
    expect(broken).toBe('The search did not answer.');
    // Both were asked at once.
    expect(asked).toContainEqual(['/?q=%C3%B5%20%26%20b&n=3', 'Bearer s']);
  });
});
