import { Refusal } from '@portolan/mcp/tool';
import type { Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { requireVersion } from '../versions/version.ts';
import { editionsOf, holdEdition, type Edition, type EditionKey } from './editions.ts';
import { requireNone } from './fault.ts';
import { faultsOf } from './faults.ts';
import type { EditionState } from './tables.ts';
import { forgetAllUnfinished } from './unfinished.ts';

/** The one table of what may become of an edition: draft → published ⇄ paused → closed. */
export const transitions = {
  publish: { from: 'draft', to: 'published' },
  pause: { from: 'published', to: 'paused' },
  resume: { from: 'paused', to: 'published' },
  close: { from: 'paused', to: 'closed' },
} as const satisfies Record<string, { from: EditionState; to: EditionState }>;

export type Transition = keyof typeof transitions;

/**
 * Moves an edition. Throws a Refusal from any other state, when it is not as it was read, and for a draft that has faults or whose survey
 * has an open edition.
 */
export async function move(
  tx: Transaction<SiteTables>,
  key: EditionKey,
  { transition, expectedVersion }: { readonly transition: Transition; readonly expectedVersion: number },
  now: number,
): Promise<Edition> {
  const before = await holdEdition(tx, key);
  const { from, to } = transitions[transition];
  if (before.state !== from)
    throw new Refusal('conflict', `It is ${before.state}; ${transition} is for one that is ${from}.`, {
      state: before.state,
      version: before.version,
    });
  requireVersion(before, expectedVersion);
  if (transition === 'publish') await requirePublishable(tx, before);
  const at = new Date(now);
  const after = {
    state: to,
    updatedAt: at,
    publishedAt: before.publishedAt ?? at,
    closedAt: to === 'closed' ? at : null,
    version: expectedVersion + 1,
  };
  await tx
    .updateTable('survey_edition')
    .set({
      state: to,
      updated_at: at,
      published_at: after.publishedAt,
      closed_at: after.closedAt,
      version: after.version,
    })
    .where((row) => row.and({ ...key }))
    .execute();
  if (to === 'closed') await forgetAllUnfinished(tx, key);
  return { ...before, ...after };
}

async function requirePublishable(tx: Transaction<SiteTables>, draft: Edition): Promise<void> {
  requireNone(faultsOf(draft), 'The draft has faults:');
  // Two drafts of one survey cannot be, so nobody else publishes another edition of it at this moment.
  const open = (await editionsOf(tx, draft.survey)).find(
    ({ state }) => state === 'published' || state === 'paused',
  );
  if (open)
    throw new Refusal('conflict', `Edition ${open.edition} is ${open.state}: close it first.`, {
      edition: open.edition,
    });
}
