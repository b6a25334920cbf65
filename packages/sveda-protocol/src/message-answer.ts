import { z } from 'zod';
import { FinishReason, SvedaEvent, Usage } from './events.ts';

/** Answer to `POST /sveda/message`: what a stream of the same post would have told until its end. */
export const MessageAnswer = z.strictObject({
  chatId: z.string().describe('The chat.'),
  turnId: z.string().describe('The turn.'),
  text: z.string().describe('Everything that the model wrote.'),
  finishReason: FinishReason.describe('tool_calls: the turn waits for results or decisions.'),
  usage: Usage.optional(),
  events: z.array(SvedaEvent).describe('All events in their order, text and reasoning left out.'),
});
export type MessageAnswer = z.infer<typeof MessageAnswer>;
