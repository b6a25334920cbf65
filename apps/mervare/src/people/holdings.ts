import type { FundingRole, Scope } from '../mcp/vocabulary.ts';

/** The rights of one person, as they stand now. */
export interface Rights {
  readonly isSuperAdmin: boolean;
  readonly hasBuilderGrant: boolean;
  /** Role of the person's own grant in the funding workspace, where there is one, and the workspace that it is bound to. */
  readonly fundingRole: Exclude<FundingRole, 'super_admin'> | null;
  readonly fundingWorkspace: string | null;
}

/** Who may hold a scope: decided, and in words. */
interface Holders {
  readonly admits: (rights: Rights) => boolean;
  readonly says: string;
}

const superAdmins: Holders = { admits: ({ isSuperAdmin }) => isSuperAdmin, says: 'super admins' };

/** The one table of who may hold which scope. Consent, tokens and every call read it. */
const holders: Readonly<Record<Scope, Holders>> = {
  author: superAdmins,
  publisher: superAdmins,
  analyst: superAdmins,
  reader: superAdmins,
  harbour: superAdmins,
  builder: {
    admits: ({ hasBuilderGrant }) => hasBuilderGrant,
    says: 'people with builder access, which a super admin gives in /admin/users',
  },
  discovery: { admits: () => true, says: 'everybody who signs in' },
  control: superAdmins,
  funding: {
    admits: ({ isSuperAdmin, fundingRole }) => isSuperAdmin || fundingRole !== null,
    says: 'super admins, and people with a collaborator grant of a funding workspace',
  },
};

/** The scopes that somebody with these rights may hold, in the published order. */
export function scopesHeldBy(rights: Rights): Scope[] {
  return (Object.keys(holders) as Scope[]).filter((scope) => holders[scope].admits(rights));
}

/** Who may hold a scope, in words that go after “for”. */
export function whoMayHold(scope: Scope): string {
  return holders[scope].says;
}
