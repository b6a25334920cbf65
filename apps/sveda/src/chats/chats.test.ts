import { ChatDetail, ChatPage, MessageAnswer } from '@sveda-ai/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testRows } from '../testing/rows.ts';
import { post, rawVisitor, testSveda } from '../testing/sveda.ts';

let sveda: Awaited<ReturnType<typeof testSveda>>;

beforeAll(async () => {
  sveda = await testSveda(`
- { when: wait, delayMs: 60000, text: Late. }
${'- { text: Noted. }\n'.repeat(60)}`);
});
afterAll(() => sveda.close());

async function visitor() {
  const { headers } = rawVisitor(sveda.origin, await sveda.mint());
  const call = (path: string, method = 'GET', body?: object) =>
    fetch(new URL(path, sveda.origin), {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  return {
    headers,
    call,
    async say(text: string, chatId?: string): Promise<MessageAnswer> {
      const body = { message: { text }, ...(chatId !== undefined && { chatId }) };
      return MessageAnswer.parse(await (await post(sveda.origin, '/sveda/message', body, headers)).json());
    },
    page: async (path: string) => ChatPage.parse(await (await call(path)).json()),
    chat: async (path: string) => ChatDetail.parse(await (await call(path)).json()),
  };
}

describe('chats of a visitor', () => {
  it('SVE-30.5 are listed in pages, the last changed first', async () => {
    const me = await visitor();
    const said: string[] = [];
    for (let n = 1; n <= 52; n++) said.push((await me.say(`Note ${n}`)).chatId);
    await me.say('One more', said[0]);
    const first = await me.page('/sveda/chats');
    expect(first.chats).toHaveLength(50);
    expect(first.chats[0]).toMatchObject({ chatId: said[0], title: 'Note 1', preview: 'One more' });
    const second = await me.page(`/sveda/chats?cursor=${first.nextCursor}`);
    expect(second.nextCursor).toBeUndefined();
    expect([...first.chats, ...second.chats].map(({ chatId }) => chatId)).toEqual([
      said[0],
      ...said.slice(1).toReversed(),
    ]);
    expect((await me.call('/sveda/chats?cursor=nonsense')).status).toBe(400);
  });

  it('SVE-30.5 are read in parts that fit in memory, whatever stands in them', async () => {
    const me = await visitor();
    const { chatId } = await me.say('One');
    await me.say('Two', chatId);
    await me.say('Three', chatId);
    await testRows(
      sveda.database.url,
      `update sveda.event set body = jsonb_set(body::jsonb, '{delta}', to_jsonb(repeat('x', 20 * 1024 * 1024)))::json
      from sveda.turn where turn.id = event.turn_id and chat_id = '${chatId}' and body ->> 'type' = 'text.delta'`,
    );
    const told = ({ turns }: ChatDetail) => turns.map(({ message }) => message.text);
    const last = await me.chat(`/sveda/chats/${chatId}`);
    expect(told(last)).toEqual(['Three']);
    const earlier = await me.chat(`/sveda/chats/${chatId}?cursor=${last.earlierCursor}`);
    expect(told(earlier)).toEqual(['Two']);
    const earliest = await me.chat(`/sveda/chats/${chatId}?cursor=${earlier.earlierCursor}`);
    expect([told(earliest), earliest.earlierCursor]).toEqual([['One'], undefined]);
  });

  it('SVE-30.5 are read with their last turns, and with earlier ones', async () => {
    const me = await visitor();
    const { chatId } = await me.say('Turn 1');
    for (let n = 2; n <= 51; n++) await me.say(`Turn ${n}`, chatId);
    const late = await me.chat(`/sveda/chats/${chatId}`);
    expect(late.turns.map(({ message }) => message.text)).toEqual(
      Array.from({ length: 50 }, (_, n) => `Turn ${n + 2}`),
    );
    const early = await me.chat(`/sveda/chats/${chatId}?cursor=${late.earlierCursor}`);
    expect(early.turns.map(({ message }) => message.text)).toEqual(['Turn 1']);
    expect(early.earlierCursor).toBeUndefined();
    expect((await me.call(`/sveda/chats/${chatId}?cursor=x`)).status).toBe(400);
  });

  it('SVE-30.5 are renamed and erased, one or all, and exist for nobody else', async () => {
    const [me, other] = [await visitor(), await visitor()];
    const [one, two] = [await me.say('One'), await me.say('Two')];
    const address = `/sveda/chats/${one.chatId}`;
    const foreign = await Promise.all([
      other.call(address),
      other.call(address, 'PATCH', { title: 'Mine' }),
      other.call(address, 'DELETE'),
    ]);
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await (await me.call(address, 'PATCH', { title: ' Berths ' })).json()).toMatchObject({
      title: 'Berths',
    });
    expect((await me.call(address, 'PATCH', { title: ' ' })).status).toBe(422);
    expect((await me.call(address, 'DELETE')).status).toBe(204);
    expect((await me.call(address)).status).toBe(404);
    expect((await me.page('/sveda/chats')).chats.map(({ chatId }) => chatId)).toEqual([two.chatId]);
    await other.say('Stays');
    expect((await me.call('/sveda/chats', 'DELETE')).status).toBe(204);
    expect((await me.page('/sveda/chats')).chats).toEqual([]);
    expect((await other.page('/sveda/chats')).chats).toHaveLength(1);
  });

  it('SVE-30.5 can be erased while they answer: the model is given up and nothing comes back', async () => {
    const me = await visitor();
    const stream = await post(sveda.origin, '/sveda/stream', { message: { text: 'wait' } }, me.headers);
    expect((await me.call('/sveda/chats', 'DELETE')).status).toBe(204);
    expect(await stream.text()).not.toContain('Late.');
    expect((await me.page('/sveda/chats')).chats).toEqual([]);
  });
});
