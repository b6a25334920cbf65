import { expect, it } from 'vitest';
import { talk } from '../testing/opened.ts';
import { testRows } from '../testing/rows.ts';

it('SVE-14.3 shows the model the last turns of a chat that may be held in memory, whatever a visitor has sent before', async () => {
  const { server, visitor, requests } = await talk({ model: () => ({ text: 'Noted.' }) });
  const first = await visitor.stream({ message: { text: 'Note one' } });
  const chatId = first[0]?.chatId;
  await visitor.stream({ chatId, message: { text: 'Note two' } });
  await testRows(
    server.database.url,
    `update sveda.turn set entries = json_build_array(json_build_object('role', 'user', 'parts',
      json_build_array(json_build_object('type', 'text', 'text', repeat('x', 64 * 1024 * 1024)))))
    where chat_id = '${chatId}' and ordinal = 1`,
  );
  await visitor.stream({ chatId, message: { text: 'Note three' } });
  const { messages = [] } = (requests.at(-1)?.body ?? {}) as {
    messages?: { role: string; content: string }[];
  };
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  expect(said).toEqual(['Note two', 'Note three']);
});
