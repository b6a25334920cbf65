import type { Caller } from '@portolan/mcp/tool';
import type { Person } from '../../people/person.ts';
import { scopesHeldBy, type Rights } from '../../people/holdings.ts';
import type { Grant, Scope } from '../vocabulary.ts';

/** Every kind of credential that a protected endpoint may take. */
export type Credential =
  | 'oauth'
  | 'visitor'
  | 'survey_token'
  | 'control_token'
  | 'builder_token'
  | 'funding_collaborator'
  | 'funding_agent'
  | 'funding_service';

/** Who calls a protected endpoint: what the credential says, and what of it still holds at this call. */
export interface SiteCaller extends Caller<Scope, Grant> {
  readonly kind: Credential;
  /** Scopes of the credential. `scopes` are those of them that whoever is behind it may hold now. */
  readonly carried: readonly Scope[];
  /** Every scope that whoever is behind the credential may hold now. */
  readonly held: readonly Scope[];
  /** Every scope that can be asked for at this endpoint. */
  readonly offered: readonly Scope[];
}

/** What a credential says for itself, before anybody's rights are looked at. */
export interface Presented {
  readonly kind: Credential;
  readonly audience: string;
  readonly carried: readonly Scope[];
  readonly offered: readonly Scope[];
}

/** The caller behind a person's credential, with the person's rights of this moment. */
export function personalCaller(presented: Presented, person: Person): SiteCaller {
  const held = scopesHeldBy(person);
  const scopes = presented.carried.filter((scope) => held.includes(scope));
  const funding = scopes.includes('funding') ? fundingOf(person) : {};
  return {
    ...presented,
    ...funding,
    name: person.email,
    person: person.id,
    held,
    scopes,
    grants: grantsOf(person),
  };
}

/** What a person was granted, whatever the credential carries. */
function grantsOf({ isSuperAdmin, hasBuilderGrant, fundingRole }: Rights): Grant[] {
  const role = isSuperAdmin ? 'super_admin' : fundingRole;
  return [...(hasBuilderGrant ? (['builder'] as const) : []), ...(role ? [`funding_${role}` as const] : [])];
}

/** A super admin works in every workspace, anybody else in that of the grant. */
function fundingOf({ isSuperAdmin, fundingRole, fundingWorkspace }: Rights): Pick<Caller, 'role' | 'realm'> {
  if (isSuperAdmin) return { role: 'super_admin' };
  return fundingRole && fundingWorkspace ? { role: fundingRole, realm: fundingWorkspace } : {};
}

/** The caller of a handler on a protected endpoint. Throws for any other: a mistake of ours. */
export function siteCaller(caller: Caller): SiteCaller {
  if (!('carried' in caller)) throw new Error('This tool is served at a protected endpoint only.');
  return caller as SiteCaller;
}
