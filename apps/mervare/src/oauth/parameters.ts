import { requestedScopes } from './narrow.ts';
import { findResource, FLOOR, type Resource } from './resources.ts';

/**
 * What of an authorization request is looked at. OpenID Connect's own parameters are not: nobody is identified to a client
 * here. Nor are prompts but `none`, since a person is asked every time. `request` and `request_uri` are kept to be refused.
 */
const LOOKED_AT = new Set(
  `response_type response_mode client_id redirect_uri state code_challenge code_challenge_method request
   request_uri`.split(/\s+/),
);

/** How an answer may come back. Not as a form: that page needs a script, which none of ours may have. */
export const RESPONSE_MODES = ['query', 'fragment'];

/** Our own parameter: set where the floor stands in `scope` though nobody asked for it. */
export const FLOOR_ADDED = 'floor_added';

/**
 * An authorization request in canonical form. `resource` becomes an audience, or stays as it is to be refused; `scope` becomes
 * everything that may be granted in answer, so the floor too, which is what remains for a person who may hold nothing else. What
 * occurs twice stays twice, for the authorization server to refuse.
 */
export function canonicalAuthorization(
  query: URLSearchParams,
  resources: readonly Resource[],
): URLSearchParams {
  const canonical = new URLSearchParams([...query].filter(([name]) => LOOKED_AT.has(name)));
  if (query.get('prompt') === 'none') canonical.set('prompt', 'none');
  if (query.has('response_mode') && !RESPONSE_MODES.includes(query.get('response_mode') ?? ''))
    canonical.set('response_mode', 'not_offered');
  const targets = canonicalTargets(query.getAll('resource'), resources);
  for (const target of targets) canonical.append('resource', target);
  const [resource] = resources.filter(({ audience }) => targets.includes(audience));
  if (resource === undefined) return canonical;
  const requested = requestedScopes(resource, query.getAll('scope').join(' '));
  canonical.set('scope', [...new Set([...requested, FLOOR])].join(' '));
  if (!requested.includes(FLOOR)) canonical.set(FLOOR_ADDED, 'yes');
  return canonical;
}

/** A token request in canonical form. Without a resource, a token is for what was authorized. */
export function canonicalTokenRequest(
  form: URLSearchParams,
  resources: readonly Resource[],
): URLSearchParams {
  const canonical = new URLSearchParams(
    [...form].filter(([name]) => name !== 'resource' && name !== 'scope'),
  );
  const asked = form.getAll('resource').filter((one) => one !== '');
  if (asked.length > 0)
    for (const target of canonicalTargets(asked, resources)) canonical.append('resource', target);
  const known = new Set<string>(resources.flatMap(({ scopes }) => scopes));
  const scopes = form
    .getAll('scope')
    .flatMap((list) => list.split(' '))
    .filter((scope) => known.has(scope));
  if (scopes.length > 0) canonical.set('scope', scopes.join(' '));
  return canonical;
}

/** Each target once, as the audience that it means; the first resource where none is named. */
function canonicalTargets(asked: readonly string[], resources: readonly Resource[]): string[] {
  const named = asked.filter((one) => one !== '');
  if (named.length === 0) return resources.slice(0, 1).map(({ audience }) => audience);
  return [...new Set(named.map((one) => findResource(resources, one)?.audience ?? one))];
}
