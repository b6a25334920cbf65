import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCsv } from '../../logbook/csv.ts';
import { importVisits } from '../../logbook/import.ts';
import { callerWith, testTools } from '../../testing/tools.ts';
import { logbookEntries } from './entries.ts';
import { logbookStats } from './stats.ts';

let tools: Awaited<ReturnType<typeof testTools>>;
beforeAll(async () => {
  tools = await testTools();
});
afterAll(() => tools.close());

const observer = callerWith({ kind: 'survey_token', name: 'watch', scopes: ['harbour'] });
const bring = async (text: string) =>
  importVisits(tools.db, readCsv(text), { by: { kind: 'test', name: 'test' }, now: tools.clock.now });
const HEAD = 'source,reference,harbour,arrival,departure,class,length_m';
const season = `\uFEFF${HEAD}
ais-1,a/1,EETLL,2026-05-01T08:00:00Z,2026-05-01T20:00:00Z,passenger,212.1
ais-1,a/2,EETLL,2026-05-01T23:30:00-02:00,,sailing,11.5
ais-1,a/3,EEMUG,,2026-05-03T10:00:00Z,cargo,
harbour-master,"17",EEMUG,2026-05-11T06:15:00Z,2026-05-12T06:15:00Z,cargo,140
`;

describe('an import of visits', () => {
  it('MER-32.1 adds, changes what is stated, keeps the rest, and is idempotent', async () => {
    expect(await bring(season)).toEqual({ added: 4, changed: 0, unchanged: 0 });
    expect(await bring(season)).toEqual({ added: 0, changed: 0, unchanged: 4 });
    const left = `${HEAD}\nais-1,a/2,EETLL,,2026-05-02T09:30:00Z,sailing,\n`;
    expect(await bring(left)).toEqual({ added: 0, changed: 1, unchanged: 0 });
    const { entries } = await tools.ask(logbookEntries, { vesselClass: 'sailing' }, observer);
    expect(entries).toEqual([
      {
        id: expect.any(String) as string,
        harbour: 'EETLL',
        arrival: '2026-05-02T01:30:00.000Z',
        departure: '2026-05-02T09:30:00.000Z',
        vesselClass: 'sailing',
        lengthM: 11.5,
        source: 'ais-1',
        reference: 'a/2',
      },
    ]);
  });

  it('MER-32.2 names every fault by its line and then brings nothing', async () => {
    const faults = `${HEAD}
ais-1,b/1,EETLL,2026-05-01,,sailing,11
ais-1,b/2,tallinn,2026-05-02T08:00:00Z,2026-05-01T08:00:00Z,boat,-3
ais-1,b/3,EETLL,,,sailing,long
`;
    await expect(bring(faults)).rejects.toMatchObject({
      code: 'invalid_input',
      message: `The file has faults; nothing was imported.
  line 2: arrival must be a time such as 2026-05-01T10:30:00Z
  line 3: harbour must be a UN/LOCODE such as EETLL
  line 3: class Invalid option: expected one of "cargo"|"tanker"|"passenger"|"fishing"|"sailing"|"motor_yacht"|"service"|"other"
  line 3: length_m Too small: expected number to be >0
  line 4: length_m Invalid input: expected number, received NaN`,
    });
    await expect(bring('source,reference,port\n')).rejects.toThrow(
      'column “port” is not known\n  line 1: column harbour is missing',
    );
    await expect(bring(`${HEAD}\nais-1,"broken`)).rejects.toThrow('nothing was imported');
    await expect(
      bring(
        `${HEAD}\nais-1,c/1,EETLL,2026-05-01T08:00:00Z,,other,\nais-1,c/2,EEXXX,2026-05-01T08:00:00Z,,other,`,
      ),
    ).rejects.toThrow('EEXXX: there is no such harbour in the register');
    const twice = 'ais-1,d/1,EETLL,2026-05-01T08:00:00Z,,other,\n';
    await expect(bring(`${HEAD}\n${twice}${twice}`)).rejects.toThrow('ais-1 d/1: stands twice');
    await expect(bring(`${HEAD}\nais-1,a/2,EETLL,,2026-05-01T00:00:00Z,sailing,`)).rejects.toThrow(
      'a visit would depart before it arrived',
    );
    const count = await sql<{ n: number }>`select count(*)::int as n from logbook_entry`.execute(tools.db);
    expect(count.rows).toEqual([{ n: 4 }]);
  });
});

describe('MER-32.3 the logbook tools', () => {
  it('open to the scope harbour and to no other', async () => {
    const reader = callerWith({
      kind: 'survey_token',
      name: 'r',
      scopes: ['author', 'publisher', 'analyst', 'reader'],
    });
    for (const tool of [logbookStats, logbookEntries])
      expect(await tools.ask(tool, {}, reader)).toEqual({ refused: 'unknown_tool', message: tool.name });
  });

  it('page through every visit once, the latest first', async () => {
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await tools.ask<{ entries: { reference: string }[]; nextCursor?: string }>(
        logbookEntries,
        { limit: 1, ...(cursor && { cursor }) },
        observer,
      );
      seen.push(...page.entries.map(({ reference }) => reference));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual(['17', 'a/3', 'a/2', 'a/1']);
    const { nextCursor } = await tools.ask(logbookEntries, { limit: 1 }, observer);
    expect(await tools.ask(logbookEntries, { source: 'ais-1', cursor: nextCursor }, observer)).toMatchObject({
      refused: 'invalid_input',
    });
  });

  it('filter by harbour, period, length and source', async () => {
    const found = async (asked: object) => {
      const { entries } = await tools.ask<{ entries: { reference: string }[] }>(
        logbookEntries,
        asked,
        observer,
      );
      return entries.map(({ reference }) => reference);
    };
    expect(await found({ harbour: 'tallinn-eetll' })).toEqual(['a/2', 'a/1']);
    expect(
      await found({ harbour: 'eemug', from: '2026-05-03T10:00:00Z', to: '2026-05-11T06:15:00Z' }),
    ).toEqual(['a/3']);
    expect(await found({ minLengthM: 100, maxLengthM: 200 })).toEqual(['17']);
    expect(await found({ source: 'harbour-master' })).toEqual(['17']);
    expect(await tools.ask(logbookEntries, { harbour: 'atlantis' }, observer)).toMatchObject({
      refused: 'not_found',
    });
  });

  it('count and average, in all and by day, week, vessel class and harbour', async () => {
    expect(await tools.ask(logbookStats, {}, observer)).toEqual({
      visits: 4,
      arrivals: 3,
      departures: 4,
      meanLengthM: 121.2,
      meanStayH: 14.7,
    });
    const by = async (groupBy: string, more = {}) => {
      const { groups } = await tools.ask<{ groups: { group: string; visits: number }[] }>(
        logbookStats,
        { groupBy, ...more },
        observer,
      );
      return groups.map(({ group, visits }) => [group, visits]);
    };
    expect(await by('day')).toEqual([
      ['2026-05-01', 1],
      ['2026-05-02', 1],
      ['2026-05-03', 1],
      ['2026-05-11', 1],
    ]);
    expect(await by('week')).toEqual([
      ['2026-W18', 3],
      ['2026-W20', 1],
    ]);
    expect(await by('harbour')).toEqual([
      ['EEMUG', 2],
      ['EETLL', 2],
    ]);
    const first = await tools.ask(logbookStats, { groupBy: 'vessel_class', limit: 2 }, observer);
    expect(first['groups']).toEqual([
      { group: 'cargo', visits: 2, arrivals: 1, departures: 2, meanLengthM: 140, meanStayH: 24 },
      { group: 'passenger', visits: 1, arrivals: 1, departures: 1, meanLengthM: 212.1, meanStayH: 12 },
    ]);
    expect(await by('vessel_class', { limit: 2, cursor: first['nextCursor'] })).toEqual([['sailing', 1]]);
  });
});

it('text that no database keeps is refused before it is asked', async () => {
  for (const text of ['EE\0TLL', '\uD800'])
    expect(await tools.ask(logbookEntries, { harbour: text }, observer)).toMatchObject({
      refused: 'invalid_input',
    });
});
