import { squeeze } from './country.ts';
import { fold, namesWithin } from './fold.ts';

/** What is known about one harbour. A fact that nobody has stated is absent (`null`), never guessed. */
export interface HarbourRecord {
  /** UN/LOCODE: country and place. The identity of a harbour. */
  readonly locode: string;
  readonly name: string;
  readonly country: string;
  readonly city: string | null;
  readonly province: string | null;
  /** WGS 84, degrees. Both or none. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** IANA name. */
  readonly timezone: string | null;
  readonly aliases: string[];
  readonly other_locodes: string[];
  /** Port code of the United States' customs: Schedule K abroad, Schedule D at home. */
  readonly customs_code: string | null;
  /** Folded. */
  readonly services: string[] | null;
  /** Greatest depth at a berth, metres. */
  readonly depth_m: number | null;
}

/** A record as the table keeps it: with its source, its slug and the folded texts that searches compare. */
export function toRow(record: HarbourRecord, source: 'sea-ports' | 'import') {
  const { name, city, aliases, province, country, locode, other_locodes } = record;
  const otherNames = [...[city ?? '', ...aliases].map(fold), ...[name, ...aliases].flatMap(namesWithin)];
  const words = [name, city, ...aliases, province, country, locode, ...other_locodes];
  return {
    ...record,
    source: source as string,
    slug: slugOf(record),
    name_folded: fold(name),
    country_folded: squeeze(country),
    other_names: [...new Set(otherNames)].filter((other) => other !== ''),
    search_text: ` ${fold(words.join(' '))} `,
  };
}

export type HarbourRow = ReturnType<typeof toRow>;

/** What a list needs of a row. */
export type BriefRow = Pick<
  HarbourRow,
  'slug' | 'name' | 'locode' | 'country' | 'city' | 'latitude' | 'longitude'
>;

/** The harbour's place in the site's addresses: its name in plain letters, then its LOCODE. */
export function slugOf({ name, locode }: Pick<HarbourRecord, 'name' | 'locode'>): string {
  return fold(`${name} ${locode}`)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+/g, '');
}
