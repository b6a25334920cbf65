import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testRegister } from '../testing/site.ts';
import { searchHarbours, type HarbourSearch } from './search.ts';

let register: Awaited<ReturnType<typeof testRegister>>;
beforeAll(async () => {
  register = await testRegister();
});
afterAll(() => register.close());

const find = (asked: HarbourSearch, page: { limit?: number; cursor?: string | undefined } = {}) =>
  searchHarbours(register.anonymous, asked, { limit: 20, ...page });

async function slugs(asked: HarbourSearch): Promise<string[]> {
  return (await find(asked)).harbours.map(({ slug }) => slug);
}

describe('distance', () => {
  it('MER-33.1 finds the real harbours within 100 km of Tallinn, the nearest first', async () => {
    const { harbours, near, total } = await find({ near: 'Tallinn', withinKm: 100 });
    expect(harbours.map(({ slug, distanceKm }) => [slug, distanceKm?.toFixed(1)])).toEqual([
      ['tallinn-eetll', '0.0'],
      ['muuga-eemug', '15.6'],
      ['helsingfors-helsinki-fihel', '83.5'],
    ]);
    expect({ near, total }).toEqual({ near: { lat: 59.43, lon: 24.73, slug: 'tallinn-eetll' }, total: 3 });
  });

  it('takes a point, and 100 km without a radius', async () => {
    expect(await slugs({ near: { lat: 59.43, lon: 24.73 } })).toEqual([
      'tallinn-eetll',
      'muuga-eemug',
      'helsingfors-helsinki-fihel',
    ]);
  });

  it('counts across the 180th meridian', async () => {
    const { harbours } = await find({ near: { lat: -17.6, lon: -179.9 }, withinKm: 300 });
    expect(harbours.map(({ slug }) => slug)).toEqual(['suva-fjsuv', 'lautoka-fjltk']);
  });

  it('finds every harbour with a position in reach of half the earth, and none without', async () => {
    const asked = { near: { lat: 90, lon: 0 }, withinKm: 20_040 };
    expect((await find(asked)).total).toBe(1610);
    expect((await find({ ...asked, query: 'Taipei' })).total).toBe(0);
  });

  it.each([
    ['a slug', 'helsingfors-helsinki-fihel'],
    ['a LOCODE', 'fihel'],
    ['a whole name', 'Helsingfors (Helsinki)'],
    ['a part of a name', 'helsinki'],
    ['a name without its marks', 'HELSINKI!'],
  ])('reads %s as a place', async (_kind, near) => {
    expect((await find({ near })).near).toEqual({
      lat: 60.17332440000001,
      lon: 24.9410248,
      slug: 'helsingfors-helsinki-fihel',
    });
  });

  it('refuses a name that several harbours have, and says which', async () => {
    await expect(find({ near: 'Cartagena' })).rejects.toThrow(
      'Several harbours are called “Cartagena”. Give one of these slugs: cartagena-coctg (Colombia), cartagena-escar (Spain).',
    );
  });

  it('takes a name that two harbours of one place have', async () => {
    expect((await find({ near: 'Dalian' })).near?.slug).toBe('dalian-cndal');
  });

  it.each([
    ['Atlantis', 'No harbour is called “Atlantis”. Give lat and lon instead.'],
    ['Taipei', 'Taipei has no recorded position. Give lat and lon instead.'],
    ['\0', 'No harbour is called “\0”. Give lat and lon instead.'],
  ])('refuses %j as a place', async (near, message) => {
    await expect(find({ near })).rejects.toThrow(message);
  });

  it('counts an empty text as not given', async () => {
    expect((await find({ query: ' ', country: '', near: '' })).total).toBe(1634);
  });

  it('refuses a radius without a place', async () => {
    await expect(find({ withinKm: 5 })).rejects.toThrow('withinKm counts from a place: give near, too.');
  });
});

describe('words', () => {
  it('MER-33.2 ranks a whole name before its beginning, and that before words in it and in its region', async () => {
    expect(await slugs({ query: 'san pedro' })).toEqual([
      'san-pedro-arspd',
      'san-pedro-cispy',
      'san-pedro-de-macoris-dospm',
    ]);
    expect((await slugs({ query: 'rio grande' })).slice(0, 3)).toEqual([
      'rio-grande-arrga',
      'rio-grande-brrig',
      'areia-branca-brare',
    ]);
    expect((await slugs({ query: 'york new' }))[0]).toBe('new-york-usnyc');
  });

  it.each([
    ['a LOCODE', 'EETLL', 'tallinn-eetll'],
    ['the beginning of a name', 'Tallin', 'tallinn-eetll'],
    ['marks that the name lacks', 'Tállinn', 'tallinn-eetll'],
    ['a letter that is no mark', 'Tromsø', 'tromso-notos'],
    ['an alias', 'Foochow', 'fuzhou-cnfoc'],
  ])('finds %s', async (_kind, query, slug) => {
    expect((await slugs({ query }))[0]).toBe(slug);
  });

  it.each(['%', '_', "'; drop table harbour; --", '\0', '???'])('finds nothing for %j', async (query) => {
    expect(await slugs({ query })).toEqual([]);
  });

  it.each(['EE', 'ee', 'Estonia', ' estonia '])('reads %j as a country', async (country) => {
    expect(await slugs({ country })).toEqual(['haldi-eehld', 'muuga-eemug', 'tallinn-eetll']);
  });

  it.each([
    ['Vietnam', 13],
    ['Viet Nam', 13],
    ['USA', 141],
    ['Russia', 16],
    ['Niger', 0],
    ['Utopia', 0],
  ])('finds the harbours of %s', async (country, total) => {
    expect((await find({ country })).total).toBe(total);
  });
});

describe('facts that are not recorded', () => {
  it('MER-33.3 match nothing, and the answer says so', async () => {
    const { total, notes } = await find({ country: 'EE', services: ['fuel'], minDepthM: 5 });
    expect({ total, notes }).toEqual({
      total: 0,
      notes: [
        '3 harbours match otherwise but have no recorded services, and so cannot match.',
        '3 harbours match otherwise but have no recorded depth, and so cannot match.',
      ],
    });
  });
});

describe('pages', () => {
  async function all(asked: HarbourSearch, limit: number): Promise<string[]> {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await find(asked, { limit, cursor });
      found.push(...page.harbours.map(({ slug }) => slug));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return found;
  }

  it('MER-33.4 give every harbour once, also among equal ranks and distances', async () => {
    const asked = { near: 'Shanghai', withinKm: 1500 };
    const whole = await all(asked, 100);
    expect(whole.length).toBe((await find(asked)).total);
    expect(new Set(whole).size).toBe(whole.length);
    expect(await all(asked, 7)).toEqual(whole);
  });

  it('end without a cursor on the last full page', async () => {
    expect((await find({ country: 'EE' }, { limit: 3 })).nextCursor).toBeUndefined();
    expect((await find({ country: 'EE' }, { limit: 2 })).nextCursor).toBeTypeOf('string');
  });

  it('refuse the cursor of another search, and one that is none', async () => {
    const { nextCursor: cursor } = await find({ country: 'EE' }, { limit: 1 });
    await expect(find({ country: 'FI' }, { cursor })).rejects.toThrow(
      'The cursor belongs to other arguments',
    );
    await expect(find({ country: 'EE' }, { cursor: 'x' })).rejects.toThrow(
      'The cursor is not one that this list gave.',
    );
    const forged = Buffer.from(JSON.stringify(['', ['1', '\0', null]])).toString('base64url');
    await expect(find({ country: 'EE' }, { cursor: forged })).rejects.toThrow(
      'The cursor is not one that this list gave.',
    );
  });
});
