import { HttpProblem, pages, type EdgeEnv } from '@portolan/http';
import { Hono, type Context } from 'hono';
import type { Provider } from 'oidc-provider';
import { recordAudit } from '../audit/audit.ts';
import type { Deps, Scope } from '../mcp/vocabulary.ts';
import type { Site } from '../pages/layout.tsx';
import { problemPages } from '../pages/problem.tsx';
import { show } from '../pages/show.ts';
import { readForm } from '../people/form.ts';
import { onPage, requirePerson, type SignedIn } from '../people/session.ts';
import { keepDocumentClient } from './clients.ts';
import { ConsentPage, RefusedPage } from './consent-page.tsx';
import { consentRows } from './consent-rows.ts';
import { grantableScopes } from './narrow.ts';
import { CONSENT } from './endpoints.ts';
import { socketOf } from './forward.ts';
import { FLOOR_ADDED } from './parameters.ts';
import { comeTo } from './pending.ts';
import { redirectKind } from './redirect-rule.ts';
import { FLOOR, type Resource } from './resources.ts';

export interface ConsentOptions {
  readonly provider: Provider;
  readonly resources: readonly Resource[];
  readonly deps: Deps;
  readonly site: Site;
}

/** An authorization request that waits for a person, as this browser made it. */
interface Waiting {
  readonly uid: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly resource: Resource;
  readonly requested: readonly Scope[];
}

/** The page on which a signed-in person decides. It belongs to the browser that brought the request, by its cookie. */
export function consentRoutes({ provider, resources, deps, site }: ConsentOptions): Hono<EdgeEnv> {
  const routes = new Hono<EdgeEnv<{ waiting?: Waiting }>>();
  const path = `${CONSENT}/:uid` as const;
  routes.onError(problemPages(site));

  routes.use(path, async (c, next) => {
    const waiting = await waitingRequest(c, provider, resources);
    if (waiting !== undefined) {
      await comeTo(deps, waiting.uid, 'returned');
      c.set('waiting', waiting);
    }
    return pages({ forms: waiting === undefined ? [] : [formTarget(waiting)] })(c, next);
  });

  routes.get(path, async (c) => {
    const signedIn = await requirePerson(c, deps.db, deps.now());
    const waiting = c.get('waiting');
    if (waiting === undefined) return gone(c, site);
    await comeTo(deps, waiting.uid, 'signedIn');
    const rows = consentRows(waiting.resource, grantableScopes(waiting.requested, signedIn.person));
    return show(c, <ConsentPage {...{ site, signedIn, rows }} {...waiting} />);
  });

  routes.post(path, async (c) => {
    const signedIn = await requirePerson(c, deps.db, deps.now());
    const { decision, shown = '' } = await readForm(c, signedIn);
    const waiting = c.get('waiting');
    if (waiting === undefined) return gone(c, site);
    if (decision !== 'allow' && decision !== 'deny')
      throw new HttpProblem(400, 'invalid_input', 'Allow or decline.');
    const read = new Set(shown.split(' '));
    const agreed = { ...waiting, requested: waiting.requested.filter((scope) => read.has(scope)) };
    const result = decision === 'allow' ? await allow(agreed, signedIn, provider, deps) : declined;
    const { incoming, outgoing } = socketOf(c);
    const alone = { mergeWithLastSubmission: false };
    return c.redirect(await provider.interactionResult(incoming, outgoing, result, alone), 303);
  });
  return routes;
}

/**
 * Where the page's form may lead besides: browsers hold the redirects after a form to the policy of its page, and the way back
 * from here ends at the client's own address.
 */
function formTarget({ redirectUri }: Waiting): string {
  const { origin, protocol } = new URL(redirectUri);
  return redirectKind(redirectUri) === 'private' ? protocol : origin;
}

const declined = { error: 'access_denied', error_description: 'the person declined' };

/** The request that this browser waits with, if it is the one of this address and has not ended. */
async function waitingRequest(
  c: Context<EdgeEnv>,
  provider: Provider,
  resources: readonly Resource[],
): Promise<Waiting | undefined> {
  const { incoming, outgoing } = socketOf(c);
  const { uid, params } = await provider.interactionDetails(incoming, outgoing).catch(unlessUnknown);
  if (uid === undefined || uid !== c.req.param('uid')) return undefined;
  const clientId = String(params['client_id']);
  const client = await provider.Client.find(clientId);
  const resource = resources.find(({ audience }) => audience === params['resource']);
  if (client === undefined || resource === undefined) return undefined;
  const floorAdded = params[FLOOR_ADDED] !== undefined;
  const asked = new Set(String(params['scope']).split(' '));
  const requested = new Set<Scope>([...resource.scopes, FLOOR]);
  return {
    uid,
    clientId,
    clientName: client.clientName ?? clientId,
    redirectUri: String(params['redirect_uri']),
    resource,
    requested: [...requested].filter((one) => asked.has(one) && !(floorAdded && one === FLOOR)),
  };
}

/** Gives the client a grant of what the person has read and may still give at this moment. */
async function allow(waiting: Waiting, signedIn: SignedIn, provider: Provider, { db, now }: Deps) {
  const { person } = signedIn;
  const { clientId, clientName, resource, requested } = waiting;
  await keepDocumentClient({ db, now }, clientId, clientName);
  const grant = new provider.Grant({ accountId: person.id, clientId });
  grant.addResourceScope(resource.audience, grantableScopes(requested, person).join(' '));
  const grantId = await grant.save();
  const action = 'account.connection_allow';
  await recordAudit(db, { by: onPage(signedIn), action, ids: [grantId], at: now() });
  return { login: { accountId: person.id }, consent: { grantId } };
}

function gone(c: Context<EdgeEnv>, site: Site) {
  const description = 'this request has ended, or it was begun in another browser';
  return show(c, <RefusedPage site={site} description={description} />, 400);
}

function unlessUnknown(error: unknown): { uid?: undefined; params: Record<string, unknown> } {
  if ((error as { error?: unknown }).error !== 'invalid_request') throw error;
  return { params: {} };
}
