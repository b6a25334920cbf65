import { z } from 'zod';
import type { HarbourSearch } from '../harbour/search.ts';

/** A field of a form without script: an empty one was not filled in. */
const field = <S extends z.ZodType>(schema: S) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined),
    schema.optional(),
  );

/** The search form as an address carries it. */
export const SearchFields = z.object({
  q: field(z.string().max(200)),
  country: field(z.string().max(100)),
  near: field(z.string().max(200)),
  km: field(
    z.coerce
      .number('must be a number')
      .positive('must be more than 0')
      .max(20_040, 'is more than half the earth'),
  ),
  after: field(z.string().max(1000)),
});

export type SearchFields = z.output<typeof SearchFields>;

/** What the form asks of the register. A distance without a place asks nothing. */
export function searchOf({ q, country, near, km }: SearchFields): HarbourSearch {
  return { query: q, country, near, withinKm: near === undefined ? undefined : km };
}

/** The address of the same search, from another row on. */
export function addressOf(fields: SearchFields, after: string): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...fields, after }))
    if (value !== undefined) parameters.set(name, String(value));
  return `/harbours?${parameters.toString()}`;
}

interface FormProps {
  /** What was typed, also where it could not be understood. */
  readonly typed: Readonly<Record<string, string>>;
  readonly countries: readonly string[];
}

export function SearchForm({ typed, countries }: FormProps) {
  return (
    <form class="search" role="search" action="/harbours" method="get" aria-label="Search harbours">
      <p class="field grow">
        <label for="q">Name, code or region</label>
        <input id="q" name="q" type="search" maxlength={200} value={typed.q} autocomplete="off" />
      </p>
      <p class="field">
        <label for="country">Country</label>
        <select id="country" name="country">
          <option value="">All countries</option>
          {countries.map((country) => (
            <option selected={country === typed.country}>{country}</option>
          ))}
        </select>
      </p>
      <p class="field">
        <label for="near">Near a harbour</label>
        <input id="near" name="near" maxlength={200} value={typed.near} autocomplete="off" />
      </p>
      <p class="field short">
        <label for="km">Within km</label>
        <input id="km" name="km" type="number" min="1" max="20040" step="any" value={typed.km ?? '100'} />
      </p>
      <button type="submit">Search</button>
    </form>
  );
}
