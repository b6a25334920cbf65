import { z } from 'zod';
import { SvedaEvent } from './events.ts';

/** One chat in a list. */
export const ChatSummary = z.strictObject({
  chatId: z.string().describe('The chat.'),
  title: z.string().describe('Its title; the beginning of the first message until it has another.'),
  preview: z.string().describe('The beginning of the last message.'),
  createdAt: z.iso.datetime().describe('ISO 8601 in UTC.'),
  updatedAt: z.iso.datetime().describe('Last change, ISO 8601 in UTC. Lists are sorted by it, newest first.'),
});
export type ChatSummary = z.infer<typeof ChatSummary>;

/** Answer to `GET /sveda/chats`. */
export const ChatPage = z.strictObject({
  chats: z.array(ChatSummary),
  nextCursor: z.string().optional().describe('Opaque; absent on the last page.'),
});
export type ChatPage = z.infer<typeof ChatPage>;

export const TurnStatus = z
  .enum(['running', 'waiting', 'done', 'stopped', 'max_steps', 'error'])
  .describe('running: events still come. waiting: for the page or the visitor. Else how it ended.');
export type TurnStatus = z.infer<typeof TurnStatus>;

/** A turn as it is read again: the message that opened it, and the events that were streamed. */
export const StoredTurn = z.strictObject({
  turnId: z.string().describe('The turn.'),
  at: z.iso.datetime().describe('When the message came, ISO 8601 in UTC.'),
  status: TurnStatus,
  message: z.strictObject({
    text: z.string().describe('What the visitor wrote.'),
    files: z
      .array(z.strictObject({ name: z.string(), mediaType: z.string() }))
      .optional()
      .describe('Files that belonged to it, without their content.'),
  }),
  events: z
    .array(SvedaEvent)
    .describe('All events so far. Adjacent deltas may stand merged under the id of the last one.'),
});
export type StoredTurn = z.infer<typeof StoredTurn>;

/** Answer to `GET /sveda/chats/:chatId`. */
export const ChatDetail = z.strictObject({
  ...ChatSummary.shape,
  turns: z.array(StoredTurn).describe('The turns, oldest first.'),
  earlierCursor: z.string().optional().describe('Opaque; leads to earlier turns, where there are some.'),
});
export type ChatDetail = z.infer<typeof ChatDetail>;

/** Body of `PATCH /sveda/chats/:chatId`. */
export const RenameRequest = z.strictObject({
  title: z.string().trim().min(1, 'A title needs at least one letter.').max(120).describe('The new title.'),
});
export type RenameRequest = z.infer<typeof RenameRequest>;
