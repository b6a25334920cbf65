import { pages, type EdgeEnv } from '@portolan/http';
import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { Kysely } from 'kysely';
import { unsubscribedBy } from '../mail/marks.ts';
import { suppress } from '../mail/suppressions.ts';
import type { SiteSecret } from '../secret/site-secret.ts';
import type { SiteTables } from '../tables.ts';
import { Layout, type Site } from './layout.tsx';
import { secretAddress } from './secret-address.ts';
import { show } from './show.ts';

interface UnsubscribeOptions {
  readonly db: Kysely<SiteTables>;
  readonly site: Site;
  readonly secret: SiteSecret;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Where the link in a letter leads. To look changes nothing, because mail programs look; a POST is remembered, whether it comes from the
 * button or from a mail program (RFC 8058).
 */
export function unsubscribeRoutes({ db, site, secret, now }: UnsubscribeOptions): Hono<EdgeEnv> {
  const routes = new Hono<EdgeEnv>();
  routes.use('/mail/unsubscribe/:mark', secretAddress, pages());

  routes.get('/mail/unsubscribe/:mark', (c) => {
    if (!unsubscribedBy(secret, c.req.param('mark'))) return show(c, <UnknownPage site={site} />, 404);
    return show(
      c,
      <Frame site={site} title="Do you want no more letters?">
        <p>Then no further letter goes to the address that this link was sent to.</p>
        <form method="post">
          <button name="List-Unsubscribe" value="One-Click">
            Send me no more letters
          </button>
        </form>
      </Frame>,
    );
  });

  routes.post('/mail/unsubscribe/:mark', async (c) => {
    const address = unsubscribedBy(secret, c.req.param('mark'));
    if (!address) return show(c, <UnknownPage site={site} />, 404);
    await suppress(db, address, now());
    return show(
      c,
      <Frame site={site} title="You get no more letters">
        <p role="status">No further letter of ours goes to this address.</p>
      </Frame>,
    );
  });
  return routes;
}

function UnknownPage({ site }: { site: Site }) {
  return (
    <Frame site={site} title="This link is not whole">
      <p class="notice" role="alert">
        Copy the whole address from the letter.
      </p>
    </Frame>
  );
}

function Frame({ site, title, children }: { site: Site; title: string; children: Child }) {
  return (
    <Layout site={site} title={`${title} · Mervare`} description="Letters from Mervare.">
      <h1>{title}</h1>
      {children}
    </Layout>
  );
}
