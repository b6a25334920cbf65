import { startModelServer } from '@portolan/agent/testing';
import { createGrammar } from '@sveda-ai/protocol/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mintAt, testOperator, yamlFor } from '../testing/nodes.ts';
import { startProgram, type Program } from '../testing/program.ts';
import { rawHost } from '../testing/raw-host.ts';
import { testRows } from '../testing/rows.ts';
import { readUntil } from '../testing/streams.ts';
import { post, readEvents } from '../testing/sveda.ts';

let operator: Awaited<ReturnType<typeof testOperator>>;
let model: Awaited<ReturnType<typeof startModelServer>>;
let host: Awaited<ReturnType<typeof rawHost>>;
let programs: Program[];
beforeAll(async () => {
  model = await startModelServer([
    { text: 'I book it. ', calls: [{ name: 'book', args: { berth: 7 } }] },
    { text: 'I do not know whether it is booked.' },
  ]);
  operator = await testOperator(yamlFor(model));
  host = await rawHost({ book: { run: () => undefined } });
  programs = await Promise.all([1, 2, 3].map(() => startProgram(operator.environment)));
});
afterAll(async () => {
  const alive = programs.filter(({ child }) => child.exitCode === null && child.signalCode === null);
  await Promise.all(alive.map((program) => program.end('SIGTERM')));
  await Promise.all([model.close(), host.close()]);
  await operator.close();
});

describe('three nodes on one database', () => {
  it('SVE-34.4 a node that is killed while a call runs costs no second call: another node tells it as uncertain and goes on', async () => {
    const [holder, second, third] = programs as [Program, Program, Program];
    const headers = await mintAt(holder.origin, {
      visitor_id: 'v',
      host_mcp_url: host.url,
      host_mcp_token: 'bearer',
    });
    const begun = await post(holder.origin, '/sveda/stream', { message: { text: 'Book it' } }, headers);
    const seen = await readUntil(begun, '"type":"tool.call"');
    const [{ chatId, turnId } = { chatId: '', turnId: '' }] = seen;
    await host.until(() => host.calls.length === 1);
    // A reader on another node is there when it happens.
    const turn = `/sveda/chats/${chatId}/turns/${turnId}/events`;
    const joined = fetch(new URL(turn, second.origin), { headers });
    await holder.end('SIGKILL');
    await testRows(operator.database.url, "update sveda.turn set lease_until = now() - interval '1 second'");
    const broken = readEvents(await (await joined).text());
    expect(broken.slice(0, seen.length)).toEqual(seen);
    expect(broken.slice(-3)).toMatchObject([
      { type: 'tool.result', toolName: 'book', status: 'uncertain' },
      { type: 'error', code: 'interrupted' },
      { type: 'message.end', finishReason: 'error' },
    ]);
    const continued = readEvents(
      await (await post(third.origin, '/sveda/stream', { chatId, continue: true }, headers)).text(),
    );
    expect(continued.at(-1)).toMatchObject({ finishReason: 'stop' });
    const grammar = createGrammar();
    for (const event of broken) grammar.take(event);
    grammar.done();
    for (const event of continued) grammar.take(event);
    expect(host.calls.map(({ input }) => input)).toEqual([{ berth: 7 }]);
    expect(model.requests).toHaveLength(2);
    expect(JSON.stringify(model.requests[1]?.body.messages)).toContain('Whether it took effect is not known');
  });
});
