import { describe, expect, it } from 'vitest';
import { scopesHeldBy, type Rights } from './holdings.ts';

const nobody: Rights = {
  isSuperAdmin: false,
  hasBuilderGrant: false,
  fundingRole: null,
  fundingWorkspace: null,
};

/** As it was decided, person by person. */
const table: readonly [who: string, rights: Partial<Rights>, scopes: string][] = [
  ['anybody who signs in', {}, 'discovery'],
  ['a person with builder access', { hasBuilderGrant: true }, 'builder discovery'],
  ['a collaborator', { fundingRole: 'collaborator', fundingWorkspace: 'w' }, 'discovery funding'],
  [
    'a super admin',
    { isSuperAdmin: true },
    'author publisher analyst reader harbour discovery control funding',
  ],
  [
    'a super admin with builder access',
    { isSuperAdmin: true, hasBuilderGrant: true },
    'author publisher analyst reader harbour builder discovery control funding',
  ],
];

describe('MER-28.1 who may hold which scope', () => {
  for (const [who, rights, scopes] of table)
    it(`${who}: ${scopes}`, () => {
      expect(scopesHeldBy({ ...nobody, ...rights }).join(' ')).toBe(scopes);
    });
});
