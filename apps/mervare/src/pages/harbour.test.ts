import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rpc } from '../testing/rpc.ts';
import { testSite } from '../testing/site.ts';

let site: Awaited<ReturnType<typeof testSite>>;
beforeAll(async () => {
  site = await testSite();
});
afterAll(() => site.close());

/** What harbour_get says, as far as this test reads it. */
interface Told {
  readonly name: string;
  readonly locode: string;
  readonly country: string;
  readonly province?: string;
  readonly city?: string;
  readonly timezone?: string;
  readonly aliases?: readonly string[];
  readonly otherLocodes?: readonly string[];
  readonly customsCode?: string;
  readonly services?: readonly string[];
  readonly source: string;
  readonly position?: { readonly lat: number; readonly lon: number };
  readonly depthM?: number;
  readonly neighbours: readonly {
    readonly slug: string;
    readonly name: string;
    readonly distanceKm: number;
  }[];
}

async function tell<T>(tool: string, slug: string): Promise<T> {
  const call = { name: tool, arguments: { slug } };
  const response = await rpc(`${site.origin}/api/mcp/discovery`, undefined, 'tools/call', call);
  return ((await response.json()) as { result: { structuredContent: T } }).result.structuredContent;
}

async function page(slug: string): Promise<string> {
  return (await fetch(new URL(`/harbours/${slug}`, site.origin))).text();
}

/** The facts that a tool tells, under the labels that a visitor reads. */
function expected(told: Told): string[] {
  const { position, depthM } = told;
  const side = (value: number, sides: string) => `${Math.abs(value)}° ${sides[value < 0 ? 1 : 0]}`;
  const shown: [string, string | undefined][] = [
    ['LOCODE', told.locode],
    ['Country', told.country],
    ['Province', told.province],
    ['City', told.city],
    ['Position', position && `${side(position.lat, 'NS')}, ${side(position.lon, 'EW')}`],
    ['Time zone', told.timezone],
    ['Also called', told.aliases?.join(', ')],
    ['Other LOCODEs', told.otherLocodes?.join(', ')],
    ['US customs port code', told.customsCode],
    ['Services', told.services?.join(', ')],
    ['Depth', depthM === undefined ? undefined : `${depthM} m`],
    ['Source', told.source],
  ];
  return shown.flatMap(([label, value]) => (value === undefined ? [] : [`${label}: ${value}`]));
}

/** The facts that a visitor reads on a page. */
function shown(html: string): string[] {
  return [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(
    ([, label, value]) => `${label}: ${plain(value)}`,
  );
}

function plain(html = ''): string {
  const entities: Record<string, string> = {
    '&amp;': '&',
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
  };
  return html.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity);
}

/** The facts of a Markdown snapshot, its escapes taken away. */
function quoted(markdown: string): string[] {
  const [facts = ''] = markdown.split('\n\n').slice(1);
  return facts.split('\n').map((line) => line.slice(2).replaceAll(/\\(.)/g, '$1'));
}

async function differences(slug: string): Promise<string[]> {
  const [html, told, { markdown }] = await Promise.all([
    page(slug),
    tell<Told>('harbour_get', slug),
    tell<{ markdown: string }>('harbour_page_snapshot', slug),
  ]);
  const facts = expected(told);
  const neighbours = [
    ...html.matchAll(/<a href="\/harbours\/([^"]+)">[^<]*<\/a><span class="distance-km">([^<]+)<\/span>/g),
  ];
  const wrong = [
    JSON.stringify(shown(html)) === JSON.stringify(facts) || 'facts of the page',
    JSON.stringify(quoted(markdown)) === JSON.stringify(facts) || 'facts of the snapshot',
    plain(/<h1>(.*?)<\/h1>/.exec(html)?.[1]) === told.name || 'name',
    JSON.stringify(neighbours.map(([, to, km]) => [to, km])) ===
      JSON.stringify(told.neighbours.map((one) => [one.slug, `${one.distanceKm} km`])) || 'neighbours',
    told.neighbours.every((one) => markdown.includes(`/harbours/${one.slug}), ${one.distanceKm} km`)) ||
      'neighbours of the snapshot',
    !`${html}${JSON.stringify(told)}${markdown}`.includes('PLANTED') || 'a private field',
  ];
  return wrong.flatMap((one) => (one === true ? [] : [`${slug}: ${one}`]));
}

describe('page and tools', () => {
  it(
    'MER-14.5 say the same of every harbour, and neither says a private field, even where the view has it',
    { timeout: 400_000 },
    async () => {
      const { db } = site.register;
      await sql`alter table harbour add column internal_note text`.execute(db);
      await sql`update harbour set internal_note = 'PLANTED'`.execute(db);
      const { rows: columns } = await sql<{
        name: string;
      }>`select column_name as name from information_schema.columns
        where table_name = 'public_harbour' order by ordinal_position`.execute(db);
      const list = columns.map(({ name }) => name).join(', ');
      await sql
        .raw(`create or replace view public_harbour as select ${list}, internal_note from harbour`)
        .execute(db);

      const rows = await db.selectFrom('harbour').select('slug').orderBy('slug').execute();
      const wrong: string[] = [];
      const queue = rows.values();
      await Promise.all(
        Array.from({ length: 6 }, async () => {
          for (const { slug } of queue) wrong.push(...(await differences(slug)));
        }),
      );
      expect(rows).toHaveLength(1634);
      expect(wrong).toEqual([]);
    },
  );
});
