import { pages, type EdgeEnv } from '@portolan/http';
import { Hono } from 'hono';
import { recordAudit, type Actor } from '../audit/audit.ts';
import type { Deps } from '../mcp/vocabulary.ts';
import type { Site } from '../pages/layout.tsx';
import { problemPages } from '../pages/problem.tsx';
import { show } from '../pages/show.ts';
import { readForm } from '../people/form.ts';
import { onPage, requirePerson, requireSuperAdmin } from '../people/session.ts';
import { ClientsPage, ConnectionsPage } from './account-pages.tsx';
import { listClients, removeClient } from './clients.ts';
import { connectionsOf, endConnection } from './connections.ts';

export interface AccountOptions {
  readonly deps: Deps;
  readonly site: Site;
}

/** Where people see and end their connections, and super admins the clients of everybody. */
export function accountRoutes({ deps, site }: AccountOptions): Hono<EdgeEnv> {
  const { db, now } = deps;
  const routes = new Hono<EdgeEnv>();
  const html = pages();
  routes.onError(problemPages(site));

  routes.get('/account/connections', html, async (c) => {
    const signedIn = await requirePerson(c, db, now());
    const connections = await connectionsOf(deps, signedIn.person.id);
    return show(c, <ConnectionsPage {...{ site, signedIn, connections }} />);
  });

  routes.post('/account/connections', html, async (c) => {
    const signedIn = await requirePerson(c, db, now());
    const { connection = '' } = await readForm(c, signedIn);
    await audited(onPage(signedIn), 'account.connection_end', connection, (tx) =>
      endConnection({ db: tx }, signedIn.person.id, connection),
    );
    return c.redirect('/account/connections', 303);
  });

  routes.get('/admin/clients', html, async (c) => {
    const signedIn = await requireSuperAdmin(c, db, now());
    const listed = await listClients(deps);
    return show(c, <ClientsPage {...{ site, signedIn }} {...listed} />);
  });

  routes.post('/admin/clients', html, async (c) => {
    const signedIn = await requireSuperAdmin(c, db, now());
    const { client = '' } = await readForm(c, signedIn);
    await audited(onPage(signedIn), 'admin.client_remove', client, (tx) => removeClient({ db: tx }, client));
    return c.redirect('/admin/clients', 303);
  });

  /** Does something about what has this id, with its row in the audit trail where there was something to do. */
  const audited = (by: Actor, action: string, id: string, act: (tx: Deps['db']) => Promise<boolean>) =>
    db.transaction().execute(async (tx) => {
      if (await act(tx)) await recordAudit(tx, { by, action, ids: [id], at: now() });
    });
  return routes;
}
