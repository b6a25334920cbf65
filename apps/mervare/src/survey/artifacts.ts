import { Refusal } from '@portolan/mcp/tool';
import { newId } from '@portolan/store';
import type { Kysely, Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';
import type { Analysis } from './analysis.ts';

/** A kept analysis, without what is in it. */
export interface Artifact {
  readonly id: string;
  readonly survey: string;
  readonly edition: number;
  readonly title: string;
  readonly hasOpenAnswers: boolean;
  readonly responses: number;
  readonly highWater: string | null;
  readonly by: string;
  readonly at: Date;
}

/** What the reader may see: reports without the words of respondents, or those with them too. */
export interface Sight {
  readonly openAnswersToo: boolean;
}

const columns = [
  'id',
  'survey',
  'edition',
  'title',
  'has_open_answers as hasOpenAnswers',
  'responses',
  'high_water as highWater',
  'by',
  'at',
] as const;

/** Keeps an analysis as it is, with the last response that it counts. */
export async function keepAnalysis(
  tx: Transaction<SiteTables>,
  by: string,
  {
    survey,
    title,
    analysis,
  }: { readonly survey: string; readonly title: string; readonly analysis: Analysis },
  now: number,
): Promise<Artifact> {
  const { edition, responses, highWater, questions } = analysis;
  const hasOpenAnswers = questions.some(({ openAnswers = [] }) => openAnswers.length > 0);
  const artifact = { id: newId(now), survey, edition, title, responses, by, at: new Date(now) };
  await tx
    .insertInto('survey_artifact')
    .values({
      ...artifact,
      content: JSON.stringify(analysis),
      has_open_answers: hasOpenAnswers,
      high_water: highWater,
    })
    .execute();
  return { ...artifact, hasOpenAnswers, highWater };
}

/** What is kept of a survey, the newest first, as far as the reader may see it. */
export function listArtifacts(
  db: Kysely<SiteTables>,
  survey: string,
  { openAnswersToo }: Sight,
  paging: Paging,
): Promise<Page<Artifact>> {
  return newestFirst(paging, 'artifacts', [survey, openAnswersToo], (limit, before) =>
    db
      .selectFrom('survey_artifact')
      .select(columns)
      .where('survey', '=', survey)
      .$if(!openAnswersToo, (all) => all.where('has_open_answers', '=', false))
      .$if(before !== undefined, (all) => all.where('id', '<', before ?? ''))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  );
}

/** One kept analysis whole. What the reader may not see looks absent. */
export async function readArtifact(
  db: Kysely<SiteTables>,
  { id, survey }: Pick<Artifact, 'id' | 'survey'>,
  { openAnswersToo }: Sight,
): Promise<Artifact & { readonly content: Analysis }> {
  const found = await db
    .selectFrom('survey_artifact')
    .select([...columns, 'content'])
    .where('id', '=', id)
    .where('survey', '=', survey)
    .$if(!openAnswersToo, (all) => all.where('has_open_answers', '=', false))
    .executeTakeFirst();
  if (found) return { ...found, content: found.content as Analysis };
  throw new Refusal('not_found', 'There is no such file. Find ids with survey_artifacts.');
}
