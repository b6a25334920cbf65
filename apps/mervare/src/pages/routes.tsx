import { pages, type EdgeEnv } from '@portolan/http';
import { Hono } from 'hono';
import { compose } from '../harbour/composition.ts';
import { harbourCountries, harbourPositions } from '../harbour/list.ts';
import { readHarbour } from '../harbour/read.ts';
import { harbourStats } from '../harbour/stats.ts';
import { drawWorld } from '../map/world.ts';
import type { Server } from '../mcp/servers.ts';
import type { Sizes } from '../mcp/sizes.ts';
import type { Deps } from '../mcp/vocabulary.ts';
import { DevelopersPage } from './developers.tsx';
import { HarbourPage, NoHarbourPage } from './harbour.tsx';
import { HarboursPage } from './harbours.tsx';
import { HomePage } from './home.tsx';
import type { Site } from './layout.tsx';
import { drawNeighbourhood, outcomeOf } from './results.ts';
import { show } from './show.ts';

export interface PagesOptions {
  readonly deps: Deps;
  readonly site: Site;
  readonly servers: readonly Server[];
  readonly sizes: Sizes;
}

/** The public pages. They work without script and read what anonymous callers may read. */
export function pageRoutes({ deps, site, servers, sizes }: PagesOptions): Hono<EdgeEnv> {
  const { harbours } = deps;
  const html = pages({ connect: site.sveda === undefined ? [] : [site.sveda] });
  const routes = new Hono<EdgeEnv>();

  routes.get('/', html, async (c) => {
    const [stats, positions] = await Promise.all([harbourStats(harbours), harbourPositions(harbours)]);
    return show(c, <HomePage site={site} stats={stats} world={drawWorld(positions)} />);
  });

  routes.get('/harbours', html, async (c) => {
    const typed = c.req.query();
    const [countries, outcome] = await Promise.all([harbourCountries(harbours), outcomeOf(harbours, typed)]);
    const page = <HarboursPage site={site} typed={typed} countries={countries} outcome={outcome} />;
    return show(c, page, 'refusal' in outcome ? 400 : 200);
  });

  routes.get('/harbours/:slug', html, async (c) => {
    const slug = c.req.param('slug');
    const found = await readHarbour(harbours, slug);
    if (!found) return show(c, <NoHarbourPage site={site} />, 404);
    const page = compose(found);
    if (page.slug !== slug) return c.redirect(`/harbours/${page.slug}`, 301);
    return show(c, <HarbourPage site={site} page={page} drawing={drawNeighbourhood(found)} />);
  });

  routes.get('/developers/mcp', html, (c) =>
    show(c, <DevelopersPage site={site} servers={servers} sizes={sizes} />),
  );
  return routes;
}
