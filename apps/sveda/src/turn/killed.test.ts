import { startModelServer } from '@portolan/agent/testing';
import { createGrammar } from '@sveda-ai/protocol/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Times } from '../server.ts';
import { mintAt, startNode, testOperator, type Operator, yamlFor } from '../testing/nodes.ts';
import { startProgram } from '../testing/program.ts';
import { testRows } from '../testing/rows.ts';
import { readUntil } from '../testing/streams.ts';
import { post, rawVisitor, readEvents, refusalOf, testSveda } from '../testing/sveda.ts';

let operator: Operator;
let model: Awaited<ReturnType<typeof startModelServer>>;
beforeAll(async () => {
  model = await startModelServer([
    { text: 'The first half of it, ', fault: 'stall' },
    { text: 'and the second.' },
    { text: 'Nobody', fault: 'stall' },
    { text: 'Told.' },
    { text: 'The first half of more, ', fault: 'stall' },
  ]);
  operator = await testOperator(yamlFor(model));
});
afterAll(async () => {
  await model.close();
  await operator.close();
});

describe('a node that is killed in the middle of a turn', () => {
  it('SVE-34.1 has kept everything that the browser had seen, and another node goes on', async () => {
    const program = await startProgram(operator.environment);
    const headers = await mintAt(program.origin, { visitor_id: 'v' });
    const begun = await post(program.origin, '/sveda/stream', { message: { text: 'Tell' } }, headers);
    const seen = await readUntil(begun, 'first half');
    await program.end('SIGKILL');

    // However long the other node takes to start, the lease of the dead one lasts until we let it end.
    const lease = (interval: string) =>
      testRows(operator.database.url, `update sveda.turn set lease_until = now() + interval '${interval}'`);
    await lease('1 hour');
    const other = await startNode(operator, { leaseMs: 1_500 });
    const [{ chatId, turnId } = { chatId: '', turnId: '' }] = seen;
    const turn = new URL(`/sveda/chats/${chatId}/turns/${turnId}/events`, other.origin);
    const goOn = () => post(other.origin, '/sveda/stream', { chatId, continue: true }, headers);
    expect(await refusalOf(await goOn())).toEqual([409, 'turn_in_progress']);

    await lease('-1 second');
    const broken = readEvents(await (await fetch(turn, { headers })).text());
    expect(broken.slice(0, seen.length)).toEqual(seen);
    expect(broken.slice(-2)).toMatchObject([
      { type: 'error', code: 'interrupted' },
      { finishReason: 'error' },
    ]);
    const continued = readEvents(await (await goOn()).text());
    expect(continued.at(-1)).toMatchObject({ finishReason: 'stop' });
    const grammar = createGrammar();
    for (const event of broken) grammar.take(event);
    grammar.done();
    for (const event of continued) grammar.take(event);
    expect(model.requests).toHaveLength(2);
    await other.close();
  });

  it('SVE-34.1 is no worse off when the database does not take a turn: it is told as interrupted at once, and can be continued', async () => {
    const refuse = (sql: string) => testRows(operator.database.url, sql);
    await refuse(`create function sveda.refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$`);
    await refuse(`create trigger refuse before insert on sveda.event for each row
      when (new.body ->> 'delta' like '%obody%') execute function sveda.refuse()`);
    const node = await startNode(operator, { leaseMs: 600_000 });
    const headers = await mintAt(node.origin, { visitor_id: 'w' });
    const say = async (body: object) =>
      readEvents(await (await post(node.origin, '/sveda/stream', body, headers)).text());
    const broken = await say({ message: { text: 'Tell' } });
    expect(broken.slice(-2)).toMatchObject([
      { type: 'error', code: 'interrupted', retryable: true },
      { type: 'message.end', finishReason: 'error' },
    ]);
    const goneOn = await say({ chatId: broken[0]?.chatId, continue: true });
    expect(goneOn.at(-1)).toMatchObject({ finishReason: 'stop' });
    await node.close();
    // Long before the silent model would be given up.
  }, 60_000);
});

describe('a node that ends in the middle of a turn', () => {
  it('SVE-34.1 leaves it to the others when its patience is over, and calls nothing of that an error', async () => {
    const { sveda, visitor, chatty } = await telling({ graceMs: 100 });
    await readUntil(await visitor.post({ message: { text: 'Tell' } }), 'word');
    await sveda.close();
    expect(await chatty.requests[0]?.answered).toBe(false);
    expect(sveda.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    await chatty.close();
  });
});

describe('a node that has lost a turn in the middle of it', () => {
  it('SVE-34.3 learns so by writing: it ends the request to the model and shows nothing that is not stored', async () => {
    const { sveda, visitor, chatty } = await telling({ leaseMs: 600_000, graceMs: 100 });
    const reading = visitor.post({ message: { text: 'Tell' } }).then((answer) => answer.text());
    const asked = await chatty.request(0);
    await testRows(sveda.database.url, 'update sveda.turn set fence = fence + 1');
    expect(await asked.answered).toBe(false);
    const stored = await testRows(sveda.database.url, 'select id::int from sveda.event order by id');
    await sveda.close();
    const shown = [...(await reading).matchAll(/^id: (\d+)$/gm)].map(([, id]) => ({ id: Number(id) }));
    expect(stored.slice(0, shown.length)).toEqual(shown);
    await chatty.close();
  });
});

/** A server whose model goes on telling for minutes. */
async function telling(times: Partial<Times>) {
  const chatty = await startModelServer(() => ({ text: 'word '.repeat(20_000), paceMs: 10 }));
  const models = [{ provider: 'openai-compatible', model: 'm', baseURL: chatty.baseURL }];
  const sveda = await testSveda('[]', { models, times });
  return { sveda, visitor: rawVisitor(sveda.origin, await sveda.mint()), chatty };
}

describe('a chat that is erased in the middle of a turn', () => {
  it('SVE-30.5 ends its turn and the request to the model at once, long before its node would look after it', async () => {
    const node = await startNode(operator, { leaseMs: 600_000 });
    const headers = await mintAt(node.origin, { visitor_id: 'x' });
    const begun = await post(node.origin, '/sveda/stream', { message: { text: 'Tell' } }, headers);
    const [{ chatId } = { chatId: '' }] = await readUntil(begun, 'first half');
    const asked = model.requests.at(-1);
    const erased = await fetch(new URL(`/sveda/chats/${chatId}`, node.origin), { method: 'DELETE', headers });
    expect(erased.status).toBe(204);
    expect(await asked?.answered).toBe(false);
    await node.close();
  });
});
