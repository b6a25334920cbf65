import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testRegister } from '../testing/site.ts';
import { countHarbours, type Condition, type HarbourQuery } from './query.ts';
import { harbourStats } from './stats.ts';

let register: Awaited<ReturnType<typeof testRegister>>;
beforeAll(async () => {
  register = await testRegister();
});
afterAll(() => register.close());

const ask = (query: Partial<HarbourQuery>, page: { limit?: number; cursor?: string | undefined } = {}) =>
  countHarbours(register.anonymous, { where: [], ...query }, { limit: 20, ...page });

describe('MER-33.5 counting', () => {
  it.each<[Condition[], number]>([
    [[], 1634],
    [[{ field: 'lat', op: 'absent' }], 24],
    [[{ field: 'depthM', op: 'present' }], 0],
    [[{ field: 'depthM', op: 'at_least', value: 0 }], 0],
    [[{ field: 'country', op: 'is', value: 'ee' }], 3],
    [[{ field: 'country', op: 'is', value: 'Viet Nam' }], 13],
    [[{ field: 'timezone', op: 'starts_with', value: 'europe/t' }], 4],
    [[{ field: 'name', op: 'is', value: 'TALLINN' }], 1],
    [[{ field: 'name', op: 'starts_with', value: '%' }], 0],
    [[{ field: 'name', op: 'is', value: '\0' }], 0],
    [
      [
        { field: 'lat', op: 'at_least', value: 59 },
        { field: 'lat', op: 'at_most', value: 60 },
        { field: 'country', op: 'is', value: 'Estonia' },
      ],
      2,
    ],
  ])('where %j', async (where, total) => {
    expect(await ask({ where })).toEqual({ total });
  });

  it.each<[Condition, string]>([
    [{ field: 'lat', op: 'is', value: '59' }, 'lat is needs a number as its value.'],
    [{ field: 'name', op: 'is' }, 'name is needs a text as its value.'],
    [
      { field: 'lat', op: 'starts_with', value: 5 },
      'starts_with compares texts; numbers take is, at_least and at_most.',
    ],
    [
      { field: 'name', op: 'at_least', value: 'b' },
      'at_least compares numbers; texts take is and starts_with.',
    ],
  ])('refuses %j', async (condition, message) => {
    await expect(ask({ where: [condition] })).rejects.toThrow(message);
  });
});

describe('groups', () => {
  it('MER-33.6 come the largest first, and harbours without the fact come under null', async () => {
    const byProvince = await ask({
      where: [{ field: 'country', op: 'is', value: 'TW' }],
      groupBy: 'province',
    });
    expect(byProvince).toEqual({
      total: 7,
      groups: [
        { value: null, count: 3 },
        { value: 'Kaohsiung City', count: 1 },
        { value: 'Taichung City', count: 1 },
        { value: 'Taiwan', count: 1 },
        { value: 'Taoyuan City', count: 1 },
      ],
    });
    const { groups } = await ask({ groupBy: 'country' }, { limit: 3 });
    expect(groups).toEqual([
      { value: 'United States', count: 141 },
      { value: 'China', count: 127 },
      { value: 'Japan', count: 94 },
    ]);
  });

  it('are given once each over all pages', async () => {
    const values: unknown[] = [];
    let counted = 0;
    let cursor: string | undefined;
    do {
      const page = await ask({ groupBy: 'timezone' }, { limit: 30, cursor });
      values.push(...(page.groups ?? []).map(({ value }) => value));
      counted += (page.groups ?? []).reduce((sum, { count }) => sum + count, 0);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect([values.length, new Set(values).size, counted]).toEqual([221, 221, 1634]);
  });

  it('refuse the cursor of another query', async () => {
    const { nextCursor: cursor } = await ask({ groupBy: 'country' }, { limit: 1 });
    await expect(ask({ groupBy: 'city' }, { cursor })).rejects.toThrow(
      'The cursor belongs to other arguments',
    );
  });
});

it('MER-33.7 the figures of the register are those of the package', async () => {
  const { largest, ...figures } = await harbourStats(register.anonymous);
  expect(figures).toEqual({
    harbours: 1634,
    countries: 185,
    recorded: { position: 1610, province: 1567, timezone: 1590, customsCode: 1296, services: 0, depth: 0 },
  });
  expect(largest[0]).toEqual({ country: 'United States', harbours: 141 });
  expect(largest).toHaveLength(10);
});
