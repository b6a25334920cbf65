import type { FundingRole, Scope } from '../mcp/vocabulary.ts';

/** The rights of one person, as they stand now. */
export interface Rights {
  readonly isSuperAdmin: boolean;
  readonly hasBuilderGrant: boolean;
  /** Role of the person's own grant in the funding workspace, where there is one, and the workspace that it is bound to. */
  readonly fundingRole: Exclude<FundingRole, 'super_admin'> | null;
  readonly fundingWorkspace: string | null;
}

type Rule = (rights: Rights) => boolean;
const superAdmins: Rule = ({ isSuperAdmin }) => isSuperAdmin;

/** The one table of who may hold which scope. Consent, tokens and every call read it. */
const holders: Readonly<Record<Scope, Rule>> = {
  author: superAdmins,
  publisher: superAdmins,
  analyst: superAdmins,
  reader: superAdmins,
  harbour: superAdmins,
  builder: ({ hasBuilderGrant }) => hasBuilderGrant,
  discovery: () => true,
  control: superAdmins,
  funding: ({ isSuperAdmin, fundingRole }) => isSuperAdmin || fundingRole !== null,
};

/** The scopes that somebody with these rights may hold, in the published order. */
export function scopesHeldBy(rights: Rights): Scope[] {
  return (Object.keys(holders) as Scope[]).filter((scope) => holders[scope](rights));
}
