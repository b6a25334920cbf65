import type { HarbourBrief } from '../harbour/composition.ts';
import type { Drawing } from '../map/drawing.ts';
import { Layout, type Site } from './layout.tsx';
import { HarbourMap, WorldOfHarbours } from './map.tsx';
import { SearchForm } from './search-form.tsx';

/** A harbour of a result list. */
export type Listed = HarbourBrief & { readonly distanceKm?: number };

interface HarboursProps {
  readonly site: Site;
  readonly typed: Readonly<Record<string, string>>;
  readonly countries: readonly string[];
  readonly outcome: Outcome;
}

/** What was found, why the search could not be made, or, where nothing was asked, the world. */
export type Outcome = Results | { readonly refusal: string } | { readonly world: Drawing };

export interface Results {
  readonly total: number;
  readonly harbours: readonly Listed[];
  readonly notes: readonly string[];
  /** Draws the harbours that have a position. */
  readonly drawing: Drawing;
  readonly next?: string;
}

export function HarboursPage({ site, typed, countries, outcome }: HarboursProps) {
  return (
    <Layout
      site={site}
      chat
      title="Harbours · Mervare"
      description="Search the world’s harbours by name, country or distance."
      at="/harbours"
    >
      <h1>Harbours</h1>
      <SearchForm typed={typed} countries={countries} />
      {'refusal' in outcome && (
        <p class="notice" role="alert">
          {outcome.refusal}
        </p>
      )}
      {'harbours' in outcome && <Found {...outcome} />}
      {'world' in outcome && (
        <WorldOfHarbours drawing={outcome.world} title="Map of the world with a dot for every harbour" />
      )}
    </Layout>
  );
}

function Found({ total, harbours, notes, drawing, next }: Results) {
  const placed = harbours.filter(({ position }) => position !== undefined);
  const numbered = new Map(placed.map(({ slug }, at) => [slug, at + 1]));
  return (
    <section class="found" aria-labelledby="count">
      <div>
        <h2 id="count">
          {total === 1 ? 'One harbour' : `${total === 0 ? 'No' : total.toLocaleString('en')} harbours`}
        </h2>
        {notes.map((note) => (
          <p class="notice">{note}</p>
        ))}
        {total === 0 && <p>Try fewer words, another spelling, or a larger distance.</p>}
        <ul class="results">
          {harbours.map((harbour) => (
            <ResultRow {...harbour} number={numbered.get(harbour.slug)} />
          ))}
        </ul>
        {next !== undefined && (
          <p>
            <a class="more" rel="next" href={next}>
              More harbours
            </a>
          </p>
        )}
      </div>
      {placed.length > 0 && (
        <HarbourMap
          drawing={drawing}
          markers={placed.map(({ slug, name }, at) => ({ slug, name, number: at + 1 }))}
          title="Map of the harbours in this list"
        />
      )}
    </section>
  );
}

function ResultRow({
  slug,
  name,
  country,
  locode,
  city,
  distanceKm,
  number,
}: Listed & { number?: number | undefined }) {
  return (
    <li>
      <span class="number" aria-hidden="true">
        {number ?? ''}
      </span>
      <a href={`/harbours/${slug}`}>{name}</a>
      <span class="where">
        {city !== undefined && city !== name ? `${city}, ` : ''}
        {country} · <span class="code">{locode}</span>
      </span>
      {distanceKm !== undefined && <span class="distance-km">{distanceKm} km</span>}
    </li>
  );
}
