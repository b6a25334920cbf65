import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';
import type { Incoming } from './parse.ts';

/** Something that came back for a letter. Sender, subject and text are words of others; nobody has proven who sent it. */
export interface Reply extends Omit<Incoming, 'reason'> {
  readonly id: string;
  readonly receivedAt: Date;
  readonly handledAt: Date | null;
  readonly handledBy: string | null;
}

/** The same for a letter of a survey. */
export interface SurveyReply extends Reply {
  readonly invitationId: string;
  readonly surveyId: string;
}

const reply: RawBuilder<Reply> = sql<Reply>`r.id, r.kind, r.sender, r.subject, r.text, r.cut, r.attachments,
  r.received_at as "receivedAt", r.handled_at as "handledAt", r.handled_by as "handledBy"`;

/** Said in both directions, so that an index serves whichever table is the smaller one. */
const ofInvitations = sql`mail_reply r join mail_letter l on l.id = r.letter and l.lane = 'survey'
  join survey_invitation i on l.key = 'invitation:' || i.id
    and i.id = case when l.key ~ '^invitation:[0-9a-f-]{36}$' then substr(l.key, 12)::uuid end`;

const surveyReply: RawBuilder<SurveyReply> = sql<SurveyReply>`${reply}, i.id as "invitationId", i.survey as "surveyId"`;

/** Which replies are asked for. */
export interface RepliesAsked {
  readonly survey?: string | undefined;
  readonly invitation?: string | undefined;
  readonly handled?: boolean | undefined;
}

/** What came back for invitations, the newest first. */
export function listReplies(
  db: Kysely<SiteTables>,
  asked: RepliesAsked,
  paging: Paging,
): Promise<Page<SurveyReply>> {
  const { survey, invitation, handled } = asked;
  return newestFirst(paging, 'replies', asked, async (limit, before) => {
    const { rows } = await sql<SurveyReply>`select ${surveyReply} from ${ofInvitations} where true
      ${survey === undefined ? sql`` : sql`and i.survey = ${survey}`}
      ${invitation === undefined ? sql`` : sql`and i.id = ${invitation}`}
      ${handled === undefined ? sql`` : sql`and (r.handled_at is not null) = ${handled}`}
      ${before === undefined ? sql`` : sql`and r.id < ${before}`}
      order by r.id desc limit ${limit}`.execute(db);
    return rows;
  });
}

/** Marks a reply to an invitation as done, by whoever says so first. Throws a Refusal where there is no such reply. */
export async function handleReply(
  tx: Transaction<SiteTables>,
  by: string,
  id: string,
  now: number,
): Promise<SurveyReply> {
  await tx
    .updateTable('mail_reply')
    .set({ handled_at: new Date(now), handled_by: by })
    .where('id', '=', id)
    .where('handled_at', 'is', null)
    .where('letter', 'in', (letters) =>
      letters.selectFrom('mail_letter').select('id').where('lane', '=', 'survey'),
    )
    .execute();
  const { rows } =
    await sql<SurveyReply>`select ${surveyReply} from ${ofInvitations} where r.id = ${id}`.execute(tx);
  const [handled] = rows;
  if (!handled) throw new Refusal('not_found', 'There is no such reply. Find ids with survey_replies.');
  return handled;
}

/** The latest replies to the letter of a key, the newest first. */
export async function repliesTo(
  db: Kysely<SiteTables>,
  key: string,
  limit: number,
): Promise<readonly Reply[]> {
  const { rows } = await sql<Reply>`select ${reply} from mail_reply r join mail_letter l on l.id = r.letter
    where l.key = ${key} order by r.id desc limit ${limit}`.execute(db);
  return rows;
}
