import type { HarbourPage as Page } from '../harbour/composition.ts';
import { factsOf } from '../harbour/facts.ts';
import type { Drawing } from '../map/drawing.ts';
import { Layout, type Site } from './layout.tsx';
import { HarbourMap } from './map.tsx';

interface HarbourProps {
  readonly site: Site;
  readonly page: Page;
  /** The harbour first, then its neighbours; absent where the harbour has no position. */
  readonly drawing?: Drawing | undefined;
}

export function HarbourPage({ site, page, drawing }: HarbourProps) {
  const { name, slug, country, locode, neighbours } = page;
  return (
    <Layout
      site={site}
      chat
      title={`${name} (${locode}) · Mervare`}
      description={`Facts about the harbour of ${name}, ${country}.`}
      at="/harbours"
    >
      <p class="crumbs">
        <a href="/harbours">Harbours</a> /{' '}
        <a href={`/harbours?country=${encodeURIComponent(country)}`}>{country}</a>
      </p>
      <h1>{name}</h1>
      <div class="harbour">
        <section aria-labelledby="facts">
          <h2 id="facts">Facts</h2>
          <dl class="facts">
            {factsOf(page).map(({ label, value }) => (
              <div>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
        {drawing && (
          <HarbourMap
            drawing={drawing}
            markers={[{ name, slug }, ...neighbours.map((one, at) => ({ ...one, number: at + 1 }))]}
            title={`Map of the coast around ${name}`}
          />
        )}
        {neighbours.length > 0 && (
          <section aria-labelledby="nearby">
            <h2 id="nearby">Harbours nearby</h2>
            <ol class="results">
              {neighbours.map((one, at) => (
                <li>
                  <span class="number" aria-hidden="true">
                    {at + 1}
                  </span>
                  <a href={`/harbours/${one.slug}`}>{one.name}</a>
                  <span class="distance-km">{one.distanceKm} km</span>
                </li>
              ))}
            </ol>
          </section>
        )}
      </div>
    </Layout>
  );
}

export function NoHarbourPage({ site }: { site: Site }) {
  return (
    <Layout
      site={site}
      title="No such harbour · Mervare"
      description="There is no harbour at this address."
      at="/harbours"
    >
      <h1>No such harbour</h1>
      <p>
        There is no harbour at this address. <a href="/harbours">Search the harbours</a>.
      </p>
    </Layout>
  );
}
