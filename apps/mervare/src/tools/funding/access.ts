import { needs, type Access, type Caller } from '@portolan/mcp/tool';
import { actorId } from '../../audit/actor.ts';
import type { Member } from '../../funding/member.ts';
import { mayCall, type FundingToolName, type Role } from '../../funding/roles.ts';
import type { Grant, Scope } from '../../mcp/vocabulary.ts';

/** Who opens a funding tool, out of the one table of the domain. */
export function opens(name: FundingToolName): Access<Scope, Grant> {
  const roles: readonly Role[] = mayCall[name];
  return needs(...roles.map((role) => ({ scope: 'funding' as const, grant: `funding_${role}` as const })));
}

/** The caller as the domain knows it. Throws for a caller without a role: a mistake of ours, since no tool is open to it. */
export function memberOf(caller: Caller): Member {
  const { role, realm } = caller;
  if (role !== 'super_admin' && role !== 'collaborator' && role !== 'agent' && role !== 'service')
    throw new Error('The caller has no role in the funding workspaces.');
  return { by: actorId(caller), role, realm };
}
