import { allows } from '@portolan/mcp/tool';
import { toolsFor } from '../mcp/registry.ts';
import { scopes as says, type Grant, type Scope } from '../mcp/vocabulary.ts';
import { FLOOR, type Resource } from './resources.ts';

/** One line of what a person is about to allow. */
export interface ConsentRow {
  readonly scope: Scope;
  readonly opens: string;
  /** How many tools of this endpoint the scope opens. */
  readonly tools: number;
  readonly warning?: string;
}

/** The two scopes with consequences beyond the reading and writing of the company's own papers. */
const warnings: Partial<Record<Scope, string>> = {
  builder:
    'Work that is queued here changes the code of this site. A task that passes its checks is merged with no further approval.',
  harbour: 'This is operational data of marinas: who arrived where and when. It is not public.',
};

/** The rights beside a scope that somebody who may hold the scope has, or may be given. */
const everyGrant: readonly Grant[] = ['builder', 'funding_super_admin'];

/** What these scopes open at a resource, computed from the registry. */
export function consentRows(resource: Resource, granted: readonly Scope[]): ConsentRow[] {
  return granted.map((scope) => {
    const warning = warnings[scope];
    return {
      scope,
      opens: says[scope],
      tools: toolsOpenedBy(resource, scope),
      ...(warning !== undefined && { warning }),
    };
  });
}

/** The floor opens what every caller gets; another scope what it adds to that. */
function toolsOpenedBy({ server }: Resource, scope: Scope): number {
  const nobody = { scopes: [], grants: [] };
  return toolsFor(server, { scopes: [scope], grants: everyGrant }).filter(
    ({ access }) => allows(access, nobody) === (scope === FLOOR),
  ).length;
}
