import { Hono } from 'hono';
import { HttpProblem } from '@portolan/http';
import {
  RenameRequest,
  type ChatDetail,
  type ChatPage,
  type ChatSummary,
  type StoredTurn,
} from '@sveda-ai/protocol';
import { sql, type Kysely, type Selectable } from 'kysely';
import { readBody } from '../body.ts';
import type { VisitorEnv } from '../embed/visitor.ts';
import type { Tables } from '../tables.ts';
import { isUuid } from '../turn/admission.ts';
import { STOP_CHANNEL } from '../turn/stop.ts';
import { readCursor, readTurnCursor, writeCursor } from './cursor.ts';

const PAGE = 50;

/** Turns that a chat is read with, and bytes of their events; earlier ones stand behind `earlierCursor`. */
const TURNS = 50;
const TURNS_BYTES = 32 * 1024 * 1024;

/** `GET|DELETE /sveda/chats` and `GET|PATCH|DELETE /sveda/chats/:chatId`: the visitor's own, nobody else's. */
export function chatRoutes(db: Kysely<Tables>) {
  const own = (visitor: string, chatId: string) =>
    db.selectFrom('chat').selectAll().where('visitor_id', '=', visitor).where('id', '=', knownId(chatId));

  return new Hono<VisitorEnv>()
    .get('/sveda/chats', async (c) => {
      const after = readCursor(c.req.query('cursor'));
      const rows = await db
        .selectFrom('chat')
        .selectAll()
        .where('visitor_id', '=', c.get('visitor').visitor)
        .$if(after !== undefined, (query) =>
          query.where((where) =>
            where(
              where.refTuple('updated_at', 'id'),
              '<',
              where.tuple(after?.at ?? new Date(0), after?.id ?? ''),
            ),
          ),
        )
        .orderBy('updated_at', 'desc')
        .orderBy('id', 'desc')
        .limit(PAGE + 1)
        .execute();
      const last = rows.length > PAGE ? rows[PAGE - 1] : undefined;
      const chats = rows.slice(0, PAGE).map(summary);
      return c.json({
        chats,
        ...(last && { nextCursor: writeCursor(last.updated_at, last.id) }),
      } satisfies ChatPage);
    })
    .delete('/sveda/chats', async (c) => {
      await erase(db, c.get('visitor').visitor);
      return c.body(null, 204);
    })
    .get('/sveda/chats/:chatId', async (c) => {
      const chat = await own(c.get('visitor').visitor, c.req.param('chatId')).executeTakeFirst();
      if (!chat) throw missing();
      const turns = await readTurns(db, chat.id, readTurnCursor(c.req.query('cursor')));
      return c.json({ ...summary(chat), ...turns } satisfies ChatDetail);
    })
    .patch('/sveda/chats/:chatId', async (c) => {
      const { title } = await readBody(c, RenameRequest);
      const chat = await own(c.get('visitor').visitor, c.req.param('chatId')).executeTakeFirst();
      if (!chat) throw missing();
      await db.updateTable('chat').set({ title }).where('id', '=', chat.id).execute();
      return c.json(summary({ ...chat, title }));
    })
    .delete('/sveda/chats/:chatId', async (c) => {
      const erased = await erase(db, c.get('visitor').visitor, c.req.param('chatId'));
      if (erased === 0) throw missing();
      return c.body(null, 204);
    });
}

/** An id that no chat has. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

function knownId(chatId: string): string {
  return isUuid(chatId) ? chatId : NOBODY;
}

/** Erases one chat of the visitor, or all, and tells how many. A turn that runs in one of them is stopped, on whichever node. */
function erase(db: Kysely<Tables>, visitor: string, chatId?: string): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const chats = await tx
      .selectFrom('chat')
      .select('id')
      .where('visitor_id', '=', visitor)
      .$if(chatId !== undefined, (query) => query.where('id', '=', knownId(chatId ?? '')))
      .orderBy('id')
      .forUpdate()
      .execute();
    const ids = chats.map(({ id }) => id);
    await sql`select pg_notify(${STOP_CHANNEL}, id::text) from turn
      where status = 'running' and chat_id = any(${ids}::uuid[])`.execute(tx);
    await sql`delete from chat where id = any(${ids}::uuid[])`.execute(tx);
    return ids.length;
  });
}

async function readTurns(
  db: Kysely<Tables>,
  chatId: string,
  before: number | undefined,
): Promise<{ turns: StoredTurn[]; earlierCursor?: string }> {
  const rows = await db
    .selectFrom('turn')
    .select(['id', 'ordinal', 'status', 'message', 'created_at'])
    .select((turn) =>
      turn
        .selectFrom('event')
        .whereRef('event.turn_id', '=', 'turn.id')
        .select(sql<string | null>`sum(octet_length(body::text))`.as('bytes'))
        .as('bytes'),
    )
    .where('chat_id', '=', chatId)
    .$if(before !== undefined, (query) => query.where('ordinal', '<', before ?? 0))
    .orderBy('ordinal', 'desc')
    .limit(TURNS + 1)
    .execute();
  const shown = fitting(rows).toReversed();
  const ids = shown.map(({ id }) => id);
  const events =
    ids.length === 0
      ? []
      : await db.selectFrom('event').selectAll().where('turn_id', 'in', ids).orderBy('id').execute();
  const turns = shown.map(({ id, status, message, created_at }) => ({
    turnId: id,
    at: created_at.toISOString(),
    status,
    message: message as StoredTurn['message'],
    events: events.filter(({ turn_id }) => turn_id === id).map(({ body }) => body),
  }));
  const earliest = shown[0]?.ordinal;
  return {
    turns,
    ...(rows.length > shown.length && earliest !== undefined && { earlierCursor: String(earliest) }),
  };
}

/** The first turns of a list that one answer may hold, and one at least. */
function fitting<Row extends { readonly bytes: string | null }>(rows: readonly Row[]): Row[] {
  let room = TURNS_BYTES;
  return rows.filter(({ bytes }, at) => (room -= Number(bytes)) >= 0 || at === 0).slice(0, TURNS);
}

function summary({ id, title, preview, created_at, updated_at }: Selectable<Tables['chat']>): ChatSummary {
  return {
    chatId: id,
    title,
    preview,
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
  };
}

function missing(): HttpProblem {
  return new HttpProblem(404, 'not_found', 'There is no such chat.');
}
