import type { ChatDetail, ChatPage } from '@sveda-ai/protocol/events';
import type { Transport } from './transport.ts';

export type Histories = ReturnType<typeof createHistories>;

/** The visitor's chats. Each method throws a RequestError when the server refuses. */
export function createHistories(transport: Transport) {
  const signal = new AbortController().signal;
  const pathOf = (chatId: string): string => `chats/${encodeURIComponent(chatId)}`;
  return {
    /** Newest first; `cursor` is the `nextCursor` of the page before. */
    async list(cursor?: string): Promise<ChatPage> {
      const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
      const response = await transport.request(`chats${query}`, { method: 'GET', signal, repeatable: true });
      return (await response.json()) as ChatPage;
    },
    async get(chatId: string): Promise<ChatDetail> {
      const response = await transport.request(pathOf(chatId), { method: 'GET', signal, repeatable: true });
      return (await response.json()) as ChatDetail;
    },
    async rename(chatId: string, title: string): Promise<void> {
      await transport.request(pathOf(chatId), { method: 'PATCH', body: { title }, signal, repeatable: true });
    },
    async delete(chatId: string): Promise<void> {
      await transport.request(pathOf(chatId), { method: 'DELETE', signal, repeatable: true });
    },
  };
}
