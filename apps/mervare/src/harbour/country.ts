import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { fold } from './fold.ts';

/** What people write and no list of names holds. */
const alsoCalled: Readonly<Record<string, string>> = { usa: 'US', uk: 'GB', uae: 'AE' };

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
let byName: ReadonlyMap<string, string> | undefined;

/**
 * The ISO 3166-1 alpha-2 code that a country's code or English name stands for, or undefined for an unknown name.
 * `EE`, `Estonia` and `estonia` are the same; so are `Viet Nam` and `Vietnam`.
 */
export function countryCode(given: string): string | undefined {
  const name = squeeze(given);
  byName ??= englishNames();
  return alsoCalled[name] ?? byName.get(name) ?? (/^[a-z]{2}$/.test(name) ? name.toUpperCase() : undefined);
}

/** A country's name as searches compare it: folded, without spaces. */
export function squeeze(name: string): string {
  return fold(name).replaceAll(' ', '');
}

/** The row lies in the country that a code or an English name stands for. An unknown name holds for no row. */
export function inCountry(given: string): RawBuilder<SqlBool> {
  return sql`(left(locode, 2) = ${countryCode(given) ?? ''} or country_folded = ${squeeze(given)})`;
}

function englishNames(): Map<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const pairs = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  // A code that was withdrawn goes by its successor's name, which is the successor's.
  const codes = pairs.filter((code) => new Intl.Locale(`und-${code}`).region === code);
  const named = codes.flatMap((code) => {
    const name = names.of(code);
    return name ? [[squeeze(name), code] as const] : [];
  });
  return new Map(named);
}
