import { sql, type Kysely } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { readEdition } from './editions.ts';
import type { EditionState } from './tables.ts';

/** How a survey is doing: all of its editions, or one. */
export interface SurveyStatus {
  /** Of the edition that is named, or of the latest. */
  readonly state: EditionState;
  readonly invitations: number;
  readonly opened: number;
  readonly answered: number;
  readonly revoked: number;
  readonly expired: number;
  readonly responses: number;
  /** Of those who were invited and not uninvited, the share that answered; null where nobody was. */
  readonly responseRate: number | null;
  readonly lastResponseAt: Date | null;
  /** The latest of all: a response, an invitation, a revocation, a change of the survey. */
  readonly lastActivityAt: Date;
}

/** Throws a Refusal where there is no such survey or edition. */
export async function surveyStatus(
  db: Kysely<SiteTables>,
  asked: { readonly survey: string; readonly edition?: number | undefined },
  now: number,
): Promise<SurveyStatus> {
  const { state } = await readEdition(db, asked);
  const { survey, edition } = asked;
  const chosen = sql`survey = ${survey} ${edition === undefined ? sql`` : sql`and edition = ${edition}`}`;
  const { rows } = await sql<Omit<SurveyStatus, 'state'>>`
    select i.invitations, i.opened, i.answered, i.revoked, i.expired, r.responses, r.last as "lastResponseAt",
      round(i.answered::numeric / nullif(i.invitations - i.revoked, 0), 3)::float8 as "responseRate",
      greatest(r.last, i.last, e.last) as "lastActivityAt"
    from (
      select count(*)::int as invitations, count(*) filter (where opened)::int as opened,
        count(*) filter (where answered)::int as answered, count(revoked_at)::int as revoked,
        count(*) filter (where not answered and revoked_at is null and expires_at <= ${new Date(now)})::int as expired,
        greatest(max(at), max(revoked_at)) as last
      from survey_invitation where ${chosen}
    ) i, (
      select count(*)::int as responses, max(at) as last from survey_response where ${chosen}
    ) r, (
      select max(updated_at) as last from survey_edition where ${chosen}
    ) e`.execute(db);
  const [found] = rows;
  if (!found) throw new Error('A query over figures gave no row.');
  return { state, ...found };
}
