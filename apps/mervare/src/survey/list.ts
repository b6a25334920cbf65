import { sql, type Kysely } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';
import type { EditionState } from './tables.ts';

/** A survey as lists show it: by its latest edition, and by the one that respondents see. */
export interface SurveyBrief {
  readonly id: string;
  readonly title: string;
  readonly edition: number;
  readonly state: EditionState;
  readonly version: number;
  /** The edition that is published or paused. */
  readonly openEdition: number | null;
  readonly responses: number;
  readonly lastResponseAt: Date | null;
}

/** Surveys, the newest first; with `state`, those of whose editions one is in it. */
export function listSurveys(
  db: Kysely<SiteTables>,
  asked: { readonly state?: EditionState | undefined },
  paging: Paging,
): Promise<Page<SurveyBrief>> {
  const { state } = asked;
  return newestFirst(paging, 'surveys', asked, async (limit, before) => {
    const { rows } = await sql<SurveyBrief>`
      select s.id, latest.title, latest.edition, latest.state, latest.version,
        (select edition from survey_edition o
          where o.survey = s.id and o.state in ('published', 'paused')) as "openEdition",
        (select count(*)::int from survey_response r where r.survey = s.id) as responses,
        (select max(r.at) from survey_response r where r.survey = s.id) as "lastResponseAt"
      from survey s
      join lateral (select * from survey_edition e where e.survey = s.id order by edition desc limit 1) latest on true
      where true
        ${state === undefined ? sql`` : sql`and exists (select from survey_edition e where e.survey = s.id and e.state = ${state})`}
        ${before === undefined ? sql`` : sql`and s.id < ${before}`}
      order by s.id desc limit ${limit}`.execute(db);
    return rows;
  });
}
