import { HttpProblem } from '@portolan/http';
import type { StreamRequest } from '@sveda-ai/protocol';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { isUuid, refused, type Admission, type Admitted } from './admission.ts';
import { breakOff, closeTurn } from './close.ts';
import { goOn, type MayRun } from './go-on.ts';
import { decide, type Input } from './machine.ts';
import { newTurn, openChat } from './new-turn.ts';
import { lastStanding, type Standing } from './standing.ts';

/**
 * Takes a post: checks it against what is stored, changes the turn, and holds it for this node, all or nothing. Throws the
 * refusal (403, 404, 409) when the post does not fit; nothing has changed then.
 */
export function admit(
  admission: Admission,
  visitor: string,
  body: StreamRequest,
  mayRun: MayRun,
): Promise<Admitted> {
  const { chatId, message } = body;
  if (chatId === undefined && message) return openChat(admission, visitor, body, message);
  return admission.db.transaction().execute(async (tx) => {
    const chat = await lockChat(tx, visitor, chatId ?? '');
    const last = await aliveStanding(tx, admission, chat);
    const verdict = last ? decide(last.phase, inputOf(body)) : undefined;
    if (verdict?.does === 'refuse') throw refused(verdict.error, verdict.message);
    if (last && verdict?.does === 'go on') return goOn(tx, admission, last, body, mayRun);
    if (!message) throw refused('nothing_to_continue', 'The chat has no turn yet.');
    if (last && verdict?.does === 'close, then open') await closeTurn(tx, last, admission);
    return newTurn(tx, admission, { chatId: chat, ordinal: (last?.row.ordinal ?? 0) + 1 }, body, message);
  });
}

function inputOf({ message, toolResults, toolDecisions }: StreamRequest): Input {
  if (message) return 'message';
  if (toolDecisions) return 'decisions';
  return toolResults ? 'results' : 'continue';
}

/** The visitor's chat, locked. A chat of somebody else does not exist. */
async function lockChat(tx: Kysely<Tables>, visitor: string, chatId: string): Promise<string> {
  const found = isUuid(chatId)
    ? await tx
        .selectFrom('chat')
        .select('id')
        .where('id', '=', chatId)
        .where('visitor_id', '=', visitor)
        .forUpdate()
        .executeTakeFirst()
    : undefined;
  if (!found) throw new HttpProblem(404, 'not_found', 'There is no such chat.');
  return found.id;
}

/** Where the last turn stands; one whose node is gone is broken off first. */
async function aliveStanding(
  tx: Kysely<Tables>,
  admission: Admission,
  chatId: string,
): Promise<Standing | undefined> {
  const now = admission.now();
  const last = await lastStanding(tx, chatId, now);
  if (!last || !last.isAbandoned) return last;
  await breakOff(tx, last, admission);
  return lastStanding(tx, chatId, now);
}
