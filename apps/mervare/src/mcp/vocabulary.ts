import type { Kysely } from 'kysely';
import type { PublicTables } from '../harbour/tables.ts';

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

/** Rights of a person that are read again on every call, beside the scopes of the token. */
export type Grant = 'builder';

/** What handlers may ask for. */
export interface Deps {
  /** The register of harbours as anonymous callers may read it. */
  readonly harbours: Kysely<PublicTables>;
  /** The site's own origin, for addresses in answers. */
  readonly origin: string;
}
