import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { firstEvent } from '../testing/streams.ts';
import { post, rawVisitor, testSveda } from '../testing/sveda.ts';

const ORIGIN = 'https://app.example';
let sveda: Awaited<ReturnType<typeof testSveda>>;

beforeAll(async () => {
  sveda = await testSveda(
    Array.from(
      { length: 20 },
      () => '- { when: slow, delayMs: 60000, text: Late. }\n- { text: Hello. }',
    ).join('\n'),
    {
      yaml: `cors: { origins: ['${ORIGIN}'] }\n`,
      limits: { postsPerMinute: 3, turnsOfVisitor: 2, streamsOfVisitor: 2 },
    },
  );
});
afterAll(() => sveda.close());

const call = (path: string, init: RequestInit) => fetch(new URL(path, sveda.origin), init);

describe('what pages of other origins may do', () => {
  it('SVE-31.1 lets exactly the configured origins read, refusals included', async () => {
    const routes: [string, RequestInit][] = [
      ['/sveda/chats', {}],
      ['/sveda/stream', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }],
      ['/sveda/nowhere', {}],
    ];
    for (const [path, init] of routes) {
      const headers = { ...(init.headers as Record<string, string>), origin: ORIGIN };
      const { headers: answer } = await call(path, { ...init, headers });
      expect([path, answer.get('access-control-allow-origin')]).toEqual([path, ORIGIN]);
    }
    // Refused by its length alone: nothing of the body is sent.
    const headers = { origin: ORIGIN, 'content-length': '99999999' };
    const long = request(new URL('/sveda/stream', sveda.origin), { method: 'POST', headers });
    long.flushHeaders();
    const [refused] = (await once(long, 'response')) as [IncomingMessage];
    expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([413, ORIGIN]);
    long.destroy();
    for (const origin of [`${ORIGIN}.evil.test`, 'https://APP.example', 'http://app.example', 'null']) {
      const { headers } = await call('/sveda/chats', { headers: { origin } });
      expect([origin, headers.get('access-control-allow-origin')]).toEqual([origin, null]);
    }
  });

  it('SVE-31.1 answers a preflight with what the client sends', async () => {
    const { status, headers } = await call('/sveda/stream', {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-sveda-embed-token,last-event-id',
      },
    });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, ORIGIN]);
    expect(headers.get('access-control-allow-headers')).toBe(
      'content-type,last-event-id,x-sveda-embed-token',
    );
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('how much a visitor may do', () => {
  it('SVE-31.2 bounds bodies by route', async () => {
    const { headers } = rawVisitor(sveda.origin, await sveda.mint());
    const big = { title: 'x'.repeat(70_000) };
    const answers = await Promise.all([
      call('/sveda/chats/none', {
        method: 'PATCH',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(big),
      }),
      post(sveda.origin, '/sveda/stream', big, headers),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([413, 422]);
  });

  it('SVE-31.3 counts posts by visitor, and says when to come again', async () => {
    const [one, other] = await Promise.all([sveda.mint(), sveda.mint()]);
    const ask = (token: string) =>
      post(
        sveda.origin,
        '/sveda/message',
        { message: { text: 'hi' } },
        rawVisitor(sveda.origin, token).headers,
      );
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await ask(one)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await ask(one);
    expect(await refused.json()).toMatchObject({ error: 'too_many' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask(other)).status).toBe(200);
  });

  it('SVE-31.3 counts posts by address and in all, whoever sends them', async () => {
    for (const limits of [{ postsPerMinuteFromAddress: 2 }, { postsPerMinuteOfNode: 2 }]) {
      const node = await testSveda('- { text: Hello. }', { limits });
      const statuses = [];
      for (let n = 0; n < 3; n++) {
        const { headers } = rawVisitor(node.origin, await node.mint());
        const { status } = await post(node.origin, '/sveda/message', { message: { text: 'hi' } }, headers);
        statuses.push(status);
      }
      expect([limits, statuses]).toEqual([limits, [200, 200, 429]]);
      await node.close();
    }
  });

  it('SVE-31.3 counts by the address that a trusted proxy tells, and by that of the proxy where none is trusted', async () => {
    for (const [environment, expected] of [
      [{ SVEDA_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' }, [200, 200, 429]],
      [{}, [200, 429, 429]],
    ] as const) {
      const node = await testSveda('- { text: Hello. }', {
        limits: { postsPerMinuteFromAddress: 1 },
        environment,
      });
      const statuses = [];
      for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.2, 10.1.1.1']) {
        const { headers } = rawVisitor(node.origin, await node.mint());
        const from = { ...headers, 'x-forwarded-for': address };
        const { status } = await post(node.origin, '/sveda/message', { message: { text: 'hi' } }, from);
        statuses.push(status);
      }
      expect([environment, statuses]).toEqual([environment, expected]);
      await node.close();
    }
  });

  it('SVE-31.4 bounds the streams that a visitor has open at once, and frees the place of one with its end', async () => {
    const { headers } = rawVisitor(sveda.origin, await sveda.mint());
    const open = () => post(sveda.origin, '/sveda/stream', { message: { text: 'slow' } }, headers);
    const [first, second] = [await open(), await open()];
    expect([first.status, second.status]).toEqual([200, 200]);
    const third = await open();
    expect([third.status, await third.json()]).toMatchObject([
      429,
      { error: 'too_many', message: 'Too many streams of yours are open; end one first.' },
    ]);
    const turn = await stop(first, headers);
    const joined = await vi.waitFor(async () => {
      const answer = await call(`${turn}/events`, { headers });
      expect(answer.status).toBe(200);
      return answer;
    }, 30_000);
    await joined.text();
    await stop(second, headers);
  });

  it('SVE-31.4 frees the places of all streams of a connection that has gone, also of those that waited behind another', async () => {
    const { headers } = rawVisitor(sveda.origin, await sveda.mint());
    const begun = await post(sveda.origin, '/sveda/stream', { message: { text: 'slow' } }, headers);
    const { chatId, turnId } = await firstEvent(begun);
    const turn = `/sveda/chats/${chatId}/turns/${turnId}`;
    const { hostname, port } = new URL(sveda.origin);
    const lines = Object.entries({ host: 'a', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    const asked = `GET ${turn}/events HTTP/1.1\r\n${lines.join('')}\r\n`;
    const socket = connect(Number(port), hostname);
    socket.write(asked.repeat(2));
    await once(socket, 'data');
    socket.destroy();
    await vi.waitFor(async () => {
      const gone = new AbortController();
      const joins = [1, 2].map(() => call(`${turn}/events`, { headers, signal: gone.signal }));
      const statuses = (await Promise.all(joins)).map(({ status }) => status);
      gone.abort();
      expect(statuses).toEqual([200, 200]);
    }, 30_000);
    await post(sveda.origin, `${turn}/stop`, {}, headers);
  });

  it('SVE-31.4 bounds the turns of a visitor that run at once, whoever reads them, and frees the place of one with its end', async () => {
    const node = await testSveda('- { when: slow, delayMs: 60000, text: Late. }\n- { text: Hello. }', {
      limits: { turnsOfVisitor: 1 },
    });
    const { headers } = rawVisitor(node.origin, await node.mint());
    const say = (text: string) => post(node.origin, '/sveda/stream', { message: { text } }, headers);
    const { chatId, turnId } = await firstEvent(await say('slow'));
    const refused = await say('hi');
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { error: 'too_many', message: 'Too many turns of yours are open; end one first.' },
    ]);
    await post(node.origin, `/sveda/chats/${chatId}/turns/${turnId}/stop`, {}, headers);
    await vi.waitFor(async () => expect((await say('hi')).status).toBe(200), 30_000);
    await node.close();
  });
});

/** Stops the turn of a stream, reads it to its end, and answers its address. */
async function stop(stream: Response, headers: Record<string, string>): Promise<string> {
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('message.start')) text += (await reader?.read())?.value ?? '';
  const { chatId, turnId } = JSON.parse(/data: (.*)/.exec(text)?.[1] ?? '{}') as Record<string, string>;
  const turn = `/sveda/chats/${chatId}/turns/${turnId}`;
  await post(sveda.origin, `${turn}/stop`, {}, headers);
  while (!(await reader?.read())?.done) continue;
  return turn;
}
