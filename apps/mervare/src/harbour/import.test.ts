import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testRegister } from '../testing/site.ts';
import { readGeoJson } from './geojson.ts';
import { importHarbours } from './import.ts';
import { readHarbour } from './read.ts';
import { searchHarbours } from './search.ts';

let register: Awaited<ReturnType<typeof testRegister>>;
beforeAll(async () => {
  register = await testRegister();
});
afterAll(() => register.close());

type Properties = Record<string, unknown>;

function file(...features: readonly [Properties, (readonly number[] | null)?][]): string {
  return JSON.stringify({
    type: 'FeatureCollection',
    features: features.map(([properties, coordinates]) => ({
      type: 'Feature',
      geometry: coordinates ? { type: 'Point', coordinates } : null,
      properties,
    })),
  });
}

const run = async (text: string) =>
  importHarbours(register.db, readGeoJson(text), { by: { kind: 'test', name: 'test' }, now: Date.now() });
const harbour = async (locode: string) => (await readHarbour(register.anonymous, locode))?.harbour;

describe('an import', () => {
  const dirham = file(
    [
      {
        locode: 'EEDIR',
        name: 'Dirhami',
        country: 'Estonia',
        services: ['Fuel', 'Shore power'],
        depthM: 4.2,
        timezone: 'Europe/Tallinn',
      },
      [23.4964, 59.2086, 3],
    ],
    [{ locode: 'EETLL', depthM: 10.7 }],
  );

  it('MER-33.8 MER-30.9 adds harbours, changes stated facts, keeps the others, is idempotent, and is audited', async () => {
    expect(await run(dirham)).toEqual({ added: 1, changed: 1, unchanged: 0 });
    expect(await run(dirham)).toEqual({ added: 0, changed: 0, unchanged: 2 });
    const audited = await register.db.selectFrom('audit').select(['action', 'ids', 'count']).execute();
    expect(audited).toEqual([{ action: 'harbour.import', ids: ['EEDIR', 'EETLL'], count: 2 }]);
    expect(await harbour('EETLL')).toMatchObject({
      depth_m: 10.7,
      latitude: 59.43,
      province: 'Harjumaa',
      source: 'import',
    });
    expect(await harbour('EEDIR')).toMatchObject({
      slug: 'dirhami-eedir',
      latitude: 59.2086,
      longitude: 23.4964,
      city: null,
      services: ['fuel', 'shore power'],
    });
  });

  it('is found by the facts that it brought', async () => {
    const { harbours, notes } = await searchHarbours(
      register.anonymous,
      { country: 'EE', services: ['shore POWER'], minDepthM: 4 },
      { limit: 5 },
    );
    expect(harbours.map(({ slug }) => slug)).toEqual(['dirhami-eedir']);
    expect(notes[0]).toMatch(/^3 harbours/);
  });

  it('takes a fact away where the file says null, and an old address finds a renamed harbour', async () => {
    await run(file([{ locode: 'EEMUG', province: null, name: 'Muuga sadam' }]));
    expect(await harbour('muuga-eemug')).toMatchObject({ province: null, slug: 'muuga-sadam-eemug' });
  });

  it('is undone when a later part of it fails', async () => {
    await sql`alter table harbour add constraint planted check (locode <> 'ZZZZZ')`.execute(register.db);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
    const codes = letters
      .flatMap((one) => letters.map((two) => `QQ${one}${two}Q`))
      .concat(letters.flatMap((one) => letters.map((two) => `QX${one}${two}Q`)));
    const features = [...codes, 'ZZZZZ'].map(
      (code) => [{ locode: code, name: code, country: 'Nowhere' }] as [Properties],
    );
    await expect(run(file(...features))).rejects.toThrow('planted');
    expect((await searchHarbours(register.anonymous, { country: 'Nowhere' }, { limit: 1 })).total).toBe(0);
  });

  it('is all or nothing', async () => {
    const text = file([{ locode: 'EEHLD', name: 'Changed' }], [{ locode: 'EEZZZ', name: 'No country' }]);
    await expect(run(text)).rejects.toThrow(
      'A new harbour needs a name and a country; nothing was imported. Lacking: EEZZZ.',
    );
    expect(await harbour('EEHLD')).toMatchObject({ name: 'Haldi' });
  });
});

describe('a file', () => {
  it('MER-33.9 is refused with every fault at once', () => {
    const text = file(
      [{ locode: 'eetll', depthM: -1, timezone: 'Mars/Olympus', wrong: 1 }, [200, 0]],
      [{ locode: 'EEAAA', name: ' padded', customsCode: '12' }],
    );
    expect(() => readGeoJson(text)).toThrow(
      [
        'The file has faults; nothing was imported.',
        'features[0].geometry.coordinates[0]: Too big: expected number to be <=180',
        'features[0].properties.locode: must be a UN/LOCODE such as EETLL',
        'features[0].properties.timezone: must be an IANA time zone',
        'features[0].properties.depthM: Too small: expected number to be >0',
        'features[0].properties: Unrecognized key: "wrong"',
        'features[1].properties.name: must be one line of text',
        'features[1].properties.customsCode: must be four or five digits',
      ].join('\n  '),
    );
  });

  it.each([
    ['no JSON', '{', 'The file is not JSON.'],
    ['no collection', '[]', 'file: Invalid input: expected object, received array'],
    [
      'one harbour twice',
      file([{ locode: 'EEAAA' }], [{ locode: 'EEAAA' }]),
      'EEAAA: stands in more than one feature',
    ],
    ['a line break in a name', file([{ locode: 'EEAAA', name: 'a\nb' }]), 'must be one line of text'],
    ['a right-to-left override', file([{ locode: 'EEAAA', name: 'a\u202eb' }]), 'must be one line of text'],
  ])('is refused for %s', (_fault, text, message) => {
    expect(() => readGeoJson(text)).toThrow(message);
  });
});
