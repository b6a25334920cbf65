import { describe, expect, it } from 'vitest';
import { closing, statusesIn } from '../testing/opened.ts';
import { toast } from '../testing/toast.ts';
import { testNodes } from '../testing/nodes.ts';
import { rawHost } from '../testing/raw-host.ts';
import { firstEvent } from '../testing/streams.ts';
import { post, rawVisitor, readEvents, testSveda } from '../testing/sveda.ts';

const SLOW = process.env.PORTOLAN_TRUE_TIME === '1';

/** Nothing but the stop itself tells the node that runs the turn: it would look after its turns long after the test. */
const times = { leaseMs: 600_000 };

describe('a stop', () => {
  it('SVE-13.4 cancels the running host call and closes its request within a second, sends nothing that waited, and says so', async ({
    annotate,
  }) => {
    const host = closing(
      await rawHost({
        endless: { run: () => undefined },
        delete_c: { confirmation: 'required', run: () => 'deleted' },
      }),
    );
    const server = closing(
      await testSveda(
        '- calls: [{ name: endless }, { name: delete_c }, { name: toast }]\n- text: Never said.',
        { times },
      ),
    );
    const pair = { host_mcp_url: host.url, host_mcp_token: 'bearer' };
    const visitor = rawVisitor(server.origin, await server.mint({ visitor_id: 'v', ...pair }));
    const streaming = visitor.stream({ message: { text: 'Go' }, clientTools: [toast] });
    await host.until(() => host.calls.length === 1);
    const turn = await visitor.lastTurn();
    const begin = performance.now();
    await visitor.stop(turn);
    expect(await host.calls[0]?.closed).toBe(false);
    const took = performance.now() - begin;
    // A machine that is busy elsewhere is no server that waits.
    expect(took).toBeLessThan(SLOW ? 1_000 : 30_000);
    await annotate(`closed ${took.toFixed(0)} ms after the stop`);
    await host.until(() => host.cancelled.includes('endless'));
    const events = await streaming;
    expect(statusesIn(events)).toEqual({ endless: 'uncertain', delete_c: 'cancelled', toast: 'cancelled' });
    expect(events.at(-1)).toMatchObject({ finishReason: 'stopped' });
    expect(host.calls.map(({ name }) => name)).toEqual(['endless']);
    expect((await visitor.chat(turn.chatId)).turns.map(({ status }) => status)).toEqual(['stopped']);
  });

  it('SVE-13.5 reaches a turn that runs on another node, and one whose reader has gone', async () => {
    const host = closing(await rawHost({ endless: { run: () => undefined } }));
    const nodes = closing(await testNodes('models: [{ provider: demo }]', 2, times));
    const [one = '', other = ''] = nodes.origins;
    const headers = await nodes.mint({ visitor_id: 'v', host_mcp_url: host.url, host_mcp_token: 'bearer' });
    const begun = await post(one, '/sveda/stream', { message: { text: 'endless please' } }, headers);
    const { chatId, turnId } = await firstEvent(begun);
    // A closed tab stops nothing: the call is made after it, and is still open.
    await host.until(() => host.calls.length === 1);
    const turn = `/sveda/chats/${chatId}/turns/${turnId}`;
    const joined = fetch(new URL(`${turn}/events`, other), { headers });
    const stopped = await post(other, `${turn}/stop`, {}, headers);
    expect(stopped.status).toBe(202);
    expect(await host.calls[0]?.closed).toBe(false);
    const events = readEvents(await (await joined).text());
    expect(statusesIn(events)).toEqual({ endless: 'uncertain' });
    expect(events.at(-1)).toMatchObject({ finishReason: 'stopped' });
  });
});
