import type { Scope } from '../mcp/vocabulary.ts';
import { scopesHeldBy, type Rights } from '../people/holdings.ts';
import { FLOOR, type Resource } from './resources.ts';

/** The scopes that a request means: those it names and the endpoint offers, all that are offered when it names none of them. */
export function requestedScopes({ scopes }: Resource, asked: string | undefined): readonly Scope[] {
  const named = new Set((asked ?? '').split(' '));
  const known = scopes.filter((scope) => named.has(scope));
  return known.length === 0 ? scopes : known;
}

/** What a person with these rights can give of it. Never nothing: everybody may hold the floor. */
export function grantableScopes(requested: readonly Scope[], rights: Rights): readonly Scope[] {
  const held = new Set(scopesHeldBy(rights));
  const given = requested.filter((scope) => held.has(scope));
  return given.length === 0 ? [FLOOR] : given;
}
