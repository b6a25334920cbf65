import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ConnectionFailure } from '../connect.ts';
import { callOf, connected, textOf } from './testing/opened.ts';
import { listed, openLog, scripted, type Script } from './testing/peer.ts';
import { openPuppet } from './testing/puppet.ts';

const logs: ReturnType<typeof openLog>[] = [];
afterEach(() => logs.splice(0).forEach((log) => log.close()));

/** A connection to a scripted server, and the tools that were called there, in order. */
async function watched(script: Script = {}) {
  const log = openLog();
  logs.push(log);
  const connection = await connected(scripted({ ...script, log: log.file }));
  const calls = () =>
    log
      .received()
      .filter(({ method }) => method === 'tools/call')
      .map(({ params }) => params?.name);
  return { connection, calls, received: log.received };
}

/** How a call failed. */
async function failureOf(call: Promise<unknown>): Promise<ConnectionFailure> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConnectionFailure)) throw new Error('the call did not fail', { cause: error });
  return error;
}

const SOON = { interval: 5 };

describe('calls over stdio', () => {
  it('SAI-35.8 with arguments that are nested without end are not sent', async () => {
    const { connection, calls } = await watched();
    const nested = (levels: number) => ({
      a: JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as [],
    });
    expect(textOf(await callOf(connection, 'echo', nested(499)))).toHaveLength(2 * 499 + 6);
    expect(await failureOf(callOf(connection, 'echo', nested(500)))).toMatchObject({
      code: 'arguments_invalid',
      effects: 'none',
      rows: ['the value is nested more than 500 levels deep'],
    });
    expect(calls()).toEqual(['echo']);
  });

  it('SAI-35.1 take their turns one at a time, in their order', async () => {
    const { connection, calls } = await watched();
    const order: string[] = [];
    const all = ['slow', 'echo', 'slow', 'echo'].map(async (name, index) => {
      await callOf(connection, name, { ms: 60 });
      order.push(`${name} ${index}`);
    });
    expect(connection.waiting).toBe(3);
    await Promise.all(all);
    // Sent at once, an echo would be answered before what is slow.
    expect(order).toEqual(['slow 0', 'echo 1', 'slow 2', 'echo 3']);
    expect(calls()).toEqual(['slow', 'echo', 'slow', 'echo']);
  });

  it('SAI-35.2 that are cancelled in the queue are never sent, and the active one goes on', async () => {
    const { connection, calls } = await watched();
    const caller = new AbortController();
    const active = callOf(connection, 'slow', { ms: 300 });
    const queued = callOf(connection, 'echo', {}, { signal: caller.signal });
    const behind = callOf(connection, 'echo', { n: 1 });
    caller.abort();
    expect(await failureOf(queued)).toMatchObject({ code: 'cancelled', effects: 'none' });
    expect(textOf(await active)).toBe('done');
    expect(textOf(await behind)).toBe('{"n":1}');
    expect(calls()).toEqual(['slow', 'echo']);
  });

  it.each([
    ['timeout', () => ({ budget: 150 })],
    ['cancelled', () => ({ signal: AbortSignal.timeout(150) })],
  ])(
    'SAI-35.3 that end by %s while active close, contain and join before they report',
    async (code, options) => {
      const { connection, calls } = await watched({ deaf: true });
      const active = failureOf(callOf(connection, 'hang', {}, options()));
      const queued = failureOf(callOf(connection, 'echo'));
      const { ended } = connection;
      let over = false;
      void ended.then(() => (over = true));
      const failure = await active;
      expect(over).toBe(true);
      expect(failure).toMatchObject({ code, effects: 'possible', containment: { contained: true } });
      expect(await queued).toMatchObject({ code: 'closed', effects: 'none' });
      expect(await failureOf(callOf(connection, 'echo'))).toMatchObject({ code: 'closed', effects: 'none' });
      expect(calls()).not.toContain('echo');
    },
  );

  it('SAI-35.3 whose time counts from their dispatch, not from the queue', async () => {
    // A server in this process: nothing that a busy machine delays lies between a dispatch and its answer.
    const { opening } = openPuppet(
      {
        exclusive: true,
        spawn: () => Promise.resolve(),
        async answer({ method, params }) {
          if (params?.name === 'slow') await pause(600);
          return method === 'tools/list' ? { tools: [listed('slow'), listed('echo')] } : { content: [] };
        },
        end: () => Promise.resolve({ contained: true }),
      },
      { budget: 60_000 },
    );
    const connection = await opening;
    const first = callOf(connection, 'slow');
    const second = callOf(connection, 'echo', {}, { budget: 500 });
    expect(await Promise.all([first, second])).toEqual([{ content: [] }, { content: [] }]);
    await connection.close();
  });

  it('SAI-35.4 end at once with a server that dies, and say how', async () => {
    const { connection } = await watched();
    const other = await connected(scripted());
    const failure = await failureOf(callOf(connection, 'die'));
    expect(failure).toMatchObject({
      code: 'peer_exited',
      effects: 'possible',
      message: 'The server ended: with exit code 3.',
      containment: { contained: true },
    });
    expect(textOf(await callOf(other, 'echo'))).toBe('{}');
  });

  it('SAI-35.4 know while idle that the server has ended', async () => {
    const { connection } = await watched();
    process.kill(connection.pid ?? 0, 'SIGKILL');
    expect(await connection.ended).toMatchObject({
      failure: { code: 'peer_exited' },
      containment: { contained: true },
    });
  });

  it.each([
    ['ping', '{}'],
    ['roots/list', '{"roots":[{"uri":"file:///project","name":"project"}]}'],
    ['sampling/createMessage', '{"code":-32601,"message":"Method not found"}'],
    ['no/such/method', '{"code":-32601,"message":"Method not found"}'],
  ])('SAI-35.5 have %s of the server answered meanwhile', async (method, answer) => {
    const connection = await connected(scripted(), { roots: [{ uri: 'file:///project', name: 'project' }] });
    expect(textOf(await callOf(connection, 'ask', { method }))).toBe(answer);
  });

  it('SAI-35.5 are not needed for an answer: the server has one within its pages and while nothing is asked of it', async () => {
    const roots = [{ uri: 'file:///project', name: 'project' }];
    const log = openLog();
    logs.push(log);
    const connection = await connected(scripted({ log: log.file, pageAsks: 'roots/list' }), { roots });
    const answers = () => log.received().filter(({ method }) => method === undefined);
    expect(answers()).toEqual([{ id: 'in-page', result: { roots } }]);
    await callOf(connection, 'askLater', { method: 'roots/list' });
    await expect.poll(() => answers().at(-1), SOON).toEqual({ id: 'idle', result: { roots } });
  });

  it('SAI-35.5 pass progress on, and ask for it only where it is wanted', async () => {
    const { connection, received } = await watched();
    const seen: unknown[] = [];
    await callOf(connection, 'progress', {}, { onProgress: (progress: unknown) => seen.push(progress) });
    expect(seen).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ]);
    await callOf(connection, 'echo');
    expect(received().at(-1)?.params).toEqual({ name: 'echo', arguments: {} });
  });

  it('SAI-35.5 are answered beside a storm of news', async () => {
    const { connection } = await watched();
    const news = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n';
    expect(textOf(await callOf(connection, 'garbage', { line: news.repeat(10_000) }))).toBe('after');
    expect(textOf(await callOf(connection, 'echo'))).toBe('{}');
  });

  it('SAI-37.1 end at a line that does not belong, but not an answer that came before it', async () => {
    const { connection } = await watched();
    const garbage = 'Listening on 3000\n';
    expect(await failureOf(callOf(connection, 'garbage', { line: garbage }))).toMatchObject({
      code: 'bad_stdout',
      effects: 'possible',
      containment: { contained: true },
    });
  });

  it('SAI-35.6 keep the words of the server apart from ours, and cut them', async () => {
    const { connection } = await watched();
    const failure = await failureOf(callOf(connection, 'fail'));
    expect(failure).toMatchObject({
      code: 'peer_error',
      effects: 'possible',
      message: 'The server answered with an error: code -32602.',
    });
    expect(failure.peer?.message).toHaveLength(512);
    expect(textOf(await callOf(connection, 'echo'))).toBe('{}');
  });
});

describe('the end of a connection', () => {
  it('fails the active call as possibly done, the queued ones as not sent, and is contained', async () => {
    const { connection, calls } = await watched({ deaf: true });
    const active = failureOf(callOf(connection, 'hang'));
    const queued = failureOf(callOf(connection, 'echo'));
    await expect.poll(calls, SOON).toEqual(['hang']);
    expect(await connection.close()).toEqual({ contained: true });
    expect(await active).toMatchObject({ code: 'closed', effects: 'possible' });
    expect(await queued).toMatchObject({ code: 'closed', effects: 'none' });
    expect(await connection.close()).toEqual({ contained: true });
  });
});
