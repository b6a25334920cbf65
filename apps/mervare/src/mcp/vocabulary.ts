import type { Kysely } from 'kysely';
import type { PublicTables } from '../harbour/tables.ts';
import type { SiteTables } from '../tables.ts';

/** Every scope, in the order in which scopes are published, with what it opens. */
export const scopes = {
  author: 'Write survey drafts, invitation templates and target contexts',
  publisher: 'Publish surveys and send their invitations',
  analyst: 'Read survey answers and analyse them',
  reader: 'Read surveys and finished reports, without raw answers',
  harbour: 'Read observed harbour traffic',
  builder: 'Queue work for the autonomous builder',
  discovery: 'Read public harbour facts',
  control: 'Work in the control plane that agents share',
  funding: 'Work in the funding workspace',
} as const;

export type Scope = keyof typeof scopes;

/** What a funding credential, or a person with the funding scope, is inside the funding workspace. */
export type FundingRole = 'service' | 'agent' | 'collaborator' | 'super_admin';

/** Rights that are read again on every call, beside the scopes of the credential. */
export type Grant = 'builder' | `funding_${FundingRole}`;

/** What handlers may ask for. */
export interface Deps {
  /** The register of harbours as anonymous callers may read it. */
  readonly harbours: Kysely<PublicTables>;
  /** The site's own tables. Handlers of the open endpoint have no business there. */
  readonly db: Kysely<SiteTables>;
  /** The site's own origin, for addresses in answers. */
  readonly origin: string;
  /** Address of a static file of the site's pages. */
  readonly asset: (file: string) => string;
  /** Signs the addresses of previews. */
  readonly previewKey: Buffer;
  /** Epoch milliseconds. */
  readonly now: () => number;
}
