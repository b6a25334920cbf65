import { Hono } from 'hono';
import { HttpProblem } from '@portolan/http';
import type { MessageAnswer, SvedaEvent } from '@sveda-ai/protocol';
import type { VisitorEnv } from '../embed/visitor.ts';
import { begin, type TurnOptions } from '../turn/begin.ts';
import { follow } from '../turn/follow.ts';

/** `POST /sveda/message`: the body of a stream, answered in one piece when its segment has ended. */
export function messageRoutes(options: TurnOptions) {
  const { admission, hub } = options;
  return new Hono<VisitorEnv>().post('/sveda/message', async (c) => {
    const { chatId, turnId, after } = await begin(c, options);
    const { signal } = c.req.raw;
    const events: SvedaEvent[] = [];
    for await (const event of follow(admission.db, hub, { turnId, after, signal })) events.push(event);
    const end = events.at(-1);
    if (end?.type !== 'message.end')
      throw new HttpProblem(503, 'unavailable', 'The answer goes on; read it from the chat.');
    const { finishReason, usage } = end;
    return c.json({
      chatId,
      turnId,
      text: events.map((event) => (event.type === 'text.delta' ? event.delta : '')).join(''),
      finishReason,
      ...(usage && { usage }),
      events: events.filter(({ type }) => type !== 'text.delta' && type !== 'reasoning.delta'),
    } satisfies MessageAnswer);
  });
}
