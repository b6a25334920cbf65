import type { Kysely, Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import { stamp, tell } from './journal.ts';
import type { Member } from './member.ts';
import { holdResource, readResource } from './resources.ts';
import type { SiteTables } from '../tables.ts';

/** What somebody thinks of a resource. It stands as it was given; who thinks otherwise later gives another one. */
export interface Assessment {
  readonly id: string;
  readonly resource: string;
  /** 1 (not for us) to 5 (must have). */
  readonly score: number;
  readonly text: string;
  readonly by: string;
  readonly at: Date;
}

/** Adds an assessment to a resource. */
export async function addAssessment(
  tx: Transaction<SiteTables>,
  member: Member,
  said: Pick<Assessment, 'resource' | 'score' | 'text'>,
  now: number,
): Promise<Assessment> {
  const { workspace } = await holdResource(tx, member, said.resource);
  const assessment = { ...stamp(member, now), ...said };
  await tx
    .insertInto('funding_assessment')
    .values({ ...assessment, workspace })
    .execute();
  const { id: subject } = assessment;
  await tell(tx, member, { workspace, kind: 'assessment', subject, what: 'created' }, now);
  return assessment;
}

/** The assessments of a resource, the newest first, and the mean of all their scores. */
export async function listAssessments(
  db: Kysely<SiteTables>,
  member: Member,
  resource: string,
  paging: Paging,
): Promise<Page<Assessment> & { readonly meanScore: number | null }> {
  await readResource(db, member, resource);
  const page = await newestFirst(paging, 'assessments', resource, (limit, before) =>
    db
      .selectFrom('funding_assessment')
      .select(['id', 'resource', 'score', 'text', 'by', 'at'])
      .where('resource', '=', resource)
      .$if(before !== undefined, (all) => all.where('id', '<', before ?? ''))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  );
  const { mean } = await db
    .selectFrom('funding_assessment')
    .select(({ fn }) => fn.avg<string | null>('score').as('mean'))
    .where('resource', '=', resource)
    .executeTakeFirstOrThrow();
  return { ...page, meanScore: mean === null ? null : Math.round(Number(mean) * 100) / 100 };
}
