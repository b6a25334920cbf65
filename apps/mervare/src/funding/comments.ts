import type { Kysely, Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import { inform, voicesOf } from './inbox.ts';
import { stamp, tell } from './journal.ts';
import type { Member } from './member.ts';
import { holdResource, readResource } from './resources.ts';
import type { SiteTables } from '../tables.ts';

export interface Comment {
  readonly id: string;
  readonly resource: string;
  readonly text: string;
  readonly by: string;
  readonly at: Date;
}

/** Adds a comment to a resource, and tells everybody who has spoken there before. */
export async function addComment(
  tx: Transaction<SiteTables>,
  member: Member,
  said: Pick<Comment, 'resource' | 'text'>,
  now: number,
): Promise<Comment> {
  const { workspace, id: resource } = await holdResource(tx, member, said.resource);
  const voices = await voicesOf(tx, resource);
  const comment = { ...stamp(member, now), ...said };
  const { id: subject } = comment;
  await tx
    .insertInto('funding_comment')
    .values({ ...comment, workspace })
    .execute();
  await tell(tx, member, { workspace, kind: 'comment', subject, what: 'created' }, now);
  await inform(tx, member, voices, { workspace, resource, kind: 'comment', subject }, now);
  return comment;
}

/** The comments on a resource, the newest first. */
export async function listComments(
  db: Kysely<SiteTables>,
  member: Member,
  resource: string,
  paging: Paging,
): Promise<Page<Comment>> {
  await readResource(db, member, resource);
  return newestFirst(paging, 'comments', resource, (limit, before) =>
    db
      .selectFrom('funding_comment')
      .select(['id', 'resource', 'text', 'by', 'at'])
      .where('resource', '=', resource)
      .$if(before !== undefined, (all) => all.where('id', '<', before ?? ''))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  );
}
