import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readGeoJson } from '../harbour/geojson.ts';
import { importHarbours } from '../harbour/import.ts';
import { servers } from '../mcp/servers.ts';
import { rpc } from '../testing/rpc.ts';
import { testSite } from '../testing/site.ts';

let site: Awaited<ReturnType<typeof testSite>>;
beforeAll(async () => {
  site = await testSite();
});
afterAll(() => site.close());

const get = (path: string) => fetch(new URL(path, site.origin), { redirect: 'manual' });
const textOf = async (path: string) => (await get(path)).text();
const titles = (html: string) =>
  [...html.matchAll(/<a href="\/harbours\/[^"]+">([^<]+)<\/a>/g)].map(([, name]) => name);

describe('the search page', () => {
  it('MER-50.1 lists the harbours near a place, with their distance and a map of that many markers', async () => {
    const html = await textOf('/harbours?q=&country=&near=Tallinn&km=100');
    expect(titles(html)).toEqual(['Tallinn', 'Muuga', 'Helsingfors (Helsinki)']);
    expect(html).toContain('<span class="distance-km">15.6 km</span>');
    expect(html.match(/<g class="mark"/g)).toHaveLength(3);
    expect(html).toContain('value="Tallinn"');
  });

  it('draws the world with every recorded position where nothing is asked', async () => {
    const html = await textOf('/harbours');
    const [, dots = ''] = /class="dots" d="([^"]+)"/.exec(html) ?? [];
    expect(dots.match(/h0/g)).toHaveLength(1610);
  });

  it('leads through all results', async () => {
    const seen: (string | undefined)[] = [];
    let path: string | undefined = '/harbours?country=United+Kingdom';
    while (path !== undefined) {
      const html: string = await textOf(path);
      seen.push(...titles(html));
      path = /rel="next" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toHaveLength(82);
  });

  it.each([
    ['/harbours?near=Atlantis', 400, 'No harbour is called “Atlantis”. Give lat and lon instead.'],
    ['/harbours?near=Tallinn&km=far', 400, 'Within km must be a number.'],
    ['/harbours?near=Tallinn&km=-1', 400, 'Within km must be more than 0.'],
    ['/harbours?country=Estonia&after=x', 400, 'The cursor is not one that this list gave.'],
    ['/harbours?q=zzzzzz', 200, 'No harbours'],
    ['/harbours?q=%00', 200, 'No harbours'],
  ])('says in words what %s comes to', async (path, status, words) => {
    const response = await get(path);
    expect([response.status, (await response.text()).includes(words)]).toEqual([status, true]);
  });
});

describe('a harbour page', () => {
  it('leads from an address with an old name, or only the LOCODE, to the harbour', async () => {
    for (const path of ['/harbours/reval-eetll', '/harbours/EETLL']) {
      const { status, headers } = await get(path);
      expect([status, headers.get('location')]).toEqual([301, '/harbours/tallinn-eetll']);
    }
  });

  it('answers 404 with a page for a harbour that there is not', async () => {
    const response = await get('/harbours/atlantis-xxatl');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=UTF-8',
    ]);
    expect(await response.text()).toContain('<h1>No such harbour</h1>');
  });

  it('has no map where there is no position', async () => {
    expect(await textOf('/harbours/taipei-twtpe')).not.toContain('<svg');
  });

  it('MER-50.2 escapes whatever a name holds, in page and snapshot', async () => {
    const name = '</title><script>alert("x")</script>\'[a](b) & *c*';
    const file = JSON.stringify({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [23, 59] },
          properties: { locode: 'EEXSS', name, country: 'Estonia' },
        },
      ],
    });
    await importHarbours(site.register.db, readGeoJson(file), {
      by: { kind: 'test', name: 'test' },
      now: Date.now(),
    });
    const slug = 'title-script-alert-x-script-a-b-c-eexss';
    for (const path of [
      `/harbours/${slug}`,
      '/harbours?country=EE',
      `/harbours?q=${encodeURIComponent(name)}`,
    ])
      expect((await textOf(path)).match(/<script|\[a\]\(b\) & /g)).toBeNull();
    const call = { name: 'harbour_page_snapshot', arguments: { slug } };
    const response = await rpc(`${site.origin}/api/mcp/discovery`, undefined, 'tools/call', call);
    const { result } = (await response.json()) as { result: { structuredContent: { markdown: string } } };
    expect(result.structuredContent.markdown.split('\n')[0]).toBe(
      String.raw`# \</title\>\<script\>alert("x")\</script\>'\[a\](b) \& \*c\*`,
    );
  });
});

describe('MER-50.3 every page', () => {
  it.each(['/', '/harbours', '/harbours/tallinn-eetll', '/developers/mcp'])(
    'forbids script, framing and foreign content: %s',
    async (path) => {
      const response = await get(path);
      const html = await response.text();
      expect(html.startsWith('<!doctype html>')).toBe(true);
      expect(html).not.toMatch(/<script|\son\w+=|style=/);
      expect(response.headers.get('content-security-policy')).toBe(
        "default-src 'self'; connect-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      );
      expect(response.headers.get('x-frame-options')).toBe('DENY');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    },
  );

  it('is styled by one file that a browser may keep', async () => {
    const [, address = ''] = /rel="stylesheet" href="([^"]+)"/.exec(await textOf('/')) ?? [];
    const { status, headers } = await get(address);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
  });

  it('is healthy and ready', async () => {
    expect(await (await get('/health')).json()).toEqual({ status: 'ok', name: 'mervare' });
    expect(await (await get('/ready')).json()).toEqual({ ready: true, problems: [] });
  });
});

it('MER-70 a start that fails leaves no port open', async () => {
  const ports = () => process.getActiveResourcesInfo().filter((one) => one === 'TCPServerWrap').length;
  const before = ports();
  const secret = () => {
    throw new Error('no key');
  };
  await expect(testSite(servers, {}, { secret }, site.register)).rejects.toThrow('no key');
  await expect.poll(ports).toBe(before);
});
