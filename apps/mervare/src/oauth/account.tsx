import { HttpProblem, pages, type EdgeEnv } from '@portolan/http';
import { Hono } from 'hono';
import { recordAudit, type Actor } from '../audit/audit.ts';
import type { Deps } from '../mcp/vocabulary.ts';
import type { Site } from '../pages/layout.tsx';
import { problemPages } from '../pages/problem.tsx';
import { show } from '../pages/show.ts';
import { readForm, requirePerson, type SignedIn } from '../people/session.ts';
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
    if (await endConnection(deps, signedIn.person.id, connection))
      await record('account.connection_end', connection, signedIn);
    return c.redirect('/account/connections', 303);
  });

  routes.get('/admin/clients', html, async (c) => {
    const signedIn = superAdmin(await requirePerson(c, db, now()));
    const listed = await listClients(deps);
    return show(c, <ClientsPage {...{ site, signedIn }} {...listed} />);
  });

  routes.post('/admin/clients', html, async (c) => {
    const signedIn = superAdmin(await requirePerson(c, db, now()));
    const { client = '' } = await readForm(c, signedIn);
    if (await removeClient(deps, client)) await record('admin.client_remove', client, signedIn);
    return c.redirect('/admin/clients', 303);
  });

  const record = (action: string, id: string, { person }: SignedIn) => {
    const by: Actor = { kind: 'page', name: person.email, person: person.id };
    return recordAudit(db, { by, action, ids: [id], at: now() });
  };
  return routes;
}

function superAdmin(signedIn: SignedIn): SignedIn {
  if (!signedIn.person.isSuperAdmin)
    throw new HttpProblem(403, 'forbidden', 'This page is for super admins.');
  return signedIn;
}
