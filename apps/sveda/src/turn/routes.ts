import { Hono } from 'hono';
import { eventStream, HttpProblem } from '@portolan/http';
import { DONE, HEADERS, PROTOCOL_VERSION } from '@sveda-ai/protocol';
import type { Kysely } from 'kysely';
import type { VisitorEnv } from '../embed/visitor.ts';
import type { Tables } from '../tables.ts';
import { isUuid } from './admission.ts';
import { begin, type TurnOptions } from './begin.ts';
import { follow } from './follow.ts';
import { stopTurn } from './stop.ts';

/** `POST /sveda/stream`, and joining and stopping a turn. */
export function turnRoutes(options: TurnOptions) {
  const { admission, segments, hub, heartbeatMs } = options;
  const { db } = admission;
  const stream = (c: Parameters<typeof eventStream<VisitorEnv>>[0], turnId: string, after: number) => {
    c.header(HEADERS.protocolVersion, PROTOCOL_VERSION);
    return eventStream<VisitorEnv>(
      c,
      async ({ send, signal }) => {
        for await (const event of follow(db, hub, { turnId, after, signal }))
          await send({ id: String(event.id), data: JSON.stringify(event) });
        await send({ data: DONE });
      },
      { heartbeatMs },
    );
  };

  return new Hono<VisitorEnv>()
    .post('/sveda/stream', async (c) => {
      const { turnId, after } = await begin(c, options);
      return stream(c, turnId, after);
    })
    .get('/sveda/chats/:chatId/turns/:turnId/events', async (c) => {
      const { chatId, turnId } = c.req.param();
      await demandTurn(db, c.get('visitor').visitor, chatId, turnId);
      return stream(c, turnId, lastEventId(c.req.header('last-event-id')));
    })
    .post('/sveda/chats/:chatId/turns/:turnId/stop', async (c) => {
      const { chatId, turnId } = c.req.param();
      await demandTurn(db, c.get('visitor').visitor, chatId, turnId);
      await stopTurn(admission, chatId, turnId);
      segments.stop(turnId);
      return c.json({ turnId }, 202);
    });
}

/** A turn of another visitor does not exist. */
async function demandTurn(
  db: Kysely<Tables>,
  visitor: string,
  chatId: string,
  turnId: string,
): Promise<void> {
  const found =
    isUuid(chatId) && isUuid(turnId)
      ? await db
          .selectFrom('turn')
          .innerJoin('chat', 'chat.id', 'turn.chat_id')
          .select('turn.id')
          .where('turn.id', '=', turnId)
          .where('chat.id', '=', chatId)
          .where('chat.visitor_id', '=', visitor)
          .executeTakeFirst()
      : undefined;
  if (!found) throw new HttpProblem(404, 'not_found', 'There is no such turn.');
}

function lastEventId(header: string | undefined): number {
  if (header === undefined || header === '') return 0;
  if (!/^\d{1,9}$/.test(header))
    throw new HttpProblem(400, 'invalid_request', 'Last-Event-ID is the number of an event.');
  return Number(header);
}
