import type { HarbourStats } from '../harbour/stats.ts';
import type { Drawing } from '../map/drawing.ts';
import { Layout, type Site } from './layout.tsx';
import { WorldOfHarbours } from './map.tsx';

interface HomeProps {
  readonly site: Site;
  readonly stats: HarbourStats;
  readonly world: Drawing;
}

export function HomePage({ site, stats, world }: HomeProps) {
  const harbours = stats.harbours.toLocaleString('en');
  return (
    <Layout
      site={site}
      title="Mervare: facts about the world’s harbours"
      description={`${harbours} harbours in ${stats.countries} countries, for people and for their software.`}
    >
      <section class="hero">
        <h1>Facts about the world’s harbours</h1>
        <p class="lead">
          {harbours} harbours in {stats.countries} countries. Every fact is open to people on these pages, and
          to their software through the same facts as tools.
        </p>
        <form class="search" role="search" action="/harbours" method="get" aria-label="Search harbours">
          <p class="field grow">
            <label for="q">Name, code or region</label>
            <input id="q" name="q" type="search" maxlength={200} autocomplete="off" />
          </p>
          <button type="submit">Search</button>
        </form>
      </section>
      <WorldOfHarbours drawing={world} title="Map of the world with a dot for every harbour" />
      <section class="ways">
        <div>
          <h2>Look around</h2>
          <p>
            Find harbours by name or country, or ask{' '}
            <a href="/harbours?near=Tallinn&amp;km=100">what lies within 100 km of Tallinn</a>.
          </p>
        </div>
        <div>
          <h2>Connect an assistant</h2>
          <p>
            Any MCP client reads the public facts without an account.{' '}
            <a href="/developers/mcp">Copy a configuration</a>.
          </p>
        </div>
      </section>
    </Layout>
  );
}
