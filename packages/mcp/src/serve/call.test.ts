import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Misconfigured, needs, outcome, Refusal, type Call, type Tool } from '../tool.ts';
import type { ServeOptions } from './options.ts';
import {
  add,
  callerWith,
  deferred,
  doing,
  legacyHeaders,
  legacyRequest,
  listen,
  modernRequest,
  mounted,
  said,
} from './testkit.ts';

const call = (name: unknown, input?: unknown) => legacyRequest('tools/call', { name, arguments: input });
const fine = () => Promise.resolve({ content: [] });

describe('a settled call', () => {
  const secret = doing('secret', fine, { access: needs('admin') });
  const broken = (effect: Tool['effect']) =>
    doing(`breaks_${effect}`, () => Promise.reject(new Error('SELECT failed on 10.0.0.7')), { effect });
  const saysItself = doing('says_itself', () =>
    Promise.resolve({ content: [], [outcome]: 'uncertain' as const }),
  );
  const tools = [add, secret, saysItself, broken('reads'), broken('writes'), broken('destroys')];

  it.each([
    ['succeeded', 'add', { a: 1, b: 2 }],
    ['failed', 'add', { a: 99, b: 2 }],
    ['failed', 'breaks_reads', {}],
    ['uncertain', 'breaks_writes', {}],
    ['uncertain', 'breaks_destroys', {}],
    ['uncertain', 'says_itself', {}],
    ['rejected', 'add', { a: 'one' }],
    ['rejected', 'add', [1]],
    ['rejected', 'nothing', {}],
    ['rejected', 'secret', {}],
  ])('is %s: %s %j', async (ended, name, input) => {
    const times = [2000, 3000];
    const { serve, settled } = mounted(tools, { now: () => times.shift() ?? 0 });
    await serve(call(name, input), { arrivedAt: 1000, caller: callerWith([]) });
    expect(settled).toEqual([
      { caller: callerWith([]), tool: name, outcome: ended, receivedAt: 1000, settledAt: 2000 },
    ]);
  });

  it('that names no tool, or a very long one, is told of in bounds', async () => {
    const { serve, settled } = mounted(tools);
    await serve(call(7));
    await serve(call('x'.repeat(100_000)));
    expect(settled.map(({ tool }) => tool.length)).toEqual([0, 201]);
  });

  it('is told of before the listener can touch the answer, whatever it does', async () => {
    const { serve, errors } = mounted(tools, {
      observe: () => {
        throw new Error('disk full');
      },
    });
    expect((await said(serve, call('add', { a: 1, b: 2 }))).body.result.structuredContent).toEqual({
      sum: 3,
    });
    expect(errors).toEqual([{ error: new Error('disk full'), reference: 'ref-1' }]);
  });
});

describe('an observer that fails later', () => {
  it('is told to the operator too', async () => {
    const { serve, errors } = mounted([add], { observe: () => Promise.reject(new Error('disk full')) });
    await serve(call('add', { a: 1, b: 2 }));
    expect(errors).toEqual([{ error: new Error('disk full'), reference: 'ref-1' }]);
  });
});

describe('the arguments', () => {
  it('may be left out, which is an empty object', async () => {
    const seen: unknown[] = [];
    const { serve } = mounted([doing('look', (input) => (seen.push(input), fine()))]);
    await serve(legacyRequest('tools/call', { name: 'look' }));
    expect(seen).toEqual([{}]);
  });

  it('that do not fit are a result that the model can read', async () => {
    const { body } = await said(mounted([add]).serve, call('add', { a: 1 }));
    expect(body.result.isError).toBe(true);
    expect(body.result.content[0].text).toContain('expected number');
  });
});

describe('what goes wrong in a handler', () => {
  it('and is a refusal, is said in its own words', async () => {
    const { body } = await said(mounted([add]).serve, call('add', { a: 99, b: 2 }));
    expect(body.result).toEqual({
      content: [{ type: 'text', text: 'The sum is above 100.' }],
      isError: true,
      _meta: { error: { code: 'invalid_input', most: 100 } },
    });
  });

  it.each([
    ['an error', new Error('password=hunter2')],
    ['a misconfiguration', new Misconfigured('DATABASE_URL is postgres://me:hunter2@db')],
    ['no error at all', 'hunter2'],
  ])('and is %s, is told to the operator; the caller gets a reference', async (_what, error) => {
    const { serve, errors } = mounted([doing('broken', () => Promise.reject(error))]);
    const { status, body } = await said(serve, call('broken'));
    expect(status).toBe(200);
    expect(body.result).toEqual({
      content: [{ type: 'text', text: 'Something broke on our side. Reference: ref-1' }],
      isError: true,
      _meta: { error: { code: 'internal', reference: 'ref-1' } },
    });
    expect(errors).toEqual([{ error, reference: 'ref-1' }]);
  });

  it('is a result too when the handler throws at once, or answers what is no JSON', async () => {
    const throws = doing('throws', () => {
      throw new RangeError('too deep');
    });
    const loops = doing('loops', () => Promise.resolve({ content: [], structuredContent: { big: 1n } }));
    const { serve, errors } = mounted([throws, loops]);
    expect((await said(serve, call('throws'))).body.result.isError).toBe(true);
    expect((await said(serve, call('loops'))).body.result.isError).toBe(true);
    expect(errors).toHaveLength(2);
  });

  it('does not depend on the listener for errors', async () => {
    const { serve } = mounted([doing('broken', () => Promise.reject(new Error('x')))], {
      onError: () => {
        throw new Error('log is gone');
      },
    });
    expect((await said(serve, call('broken'))).body.result.isError).toBe(true);
  });
});

describe('a dropped connection', () => {
  /** A call that waits until it is told or stopped, over a connection that is cut while it waits. */
  async function cut(effect: Tool['effect'], disconnect: ServeOptions<undefined>['disconnect']) {
    const started = deferred<Call<unknown>>();
    const go = deferred<void>();
    const ended = deferred<string>();
    const waits = doing(
      'waits',
      async (_input, given) => {
        started.resolve(given);
        const stopped = new Promise((_, reject) => {
          given.signal.addEventListener('abort', () => reject(new Refusal('unavailable', 'Stopped.')));
        });
        await Promise.race([go.promise, stopped]);
        return { content: [] };
      },
      { effect },
    );
    const { serve, errors } = mounted([waits], { disconnect, observe: (one) => ended.resolve(one.outcome) });
    const server = await listen(serve);
    try {
      const sent = httpRequest(server.url, { method: 'POST', headers: legacyHeaders });
      sent.on('error', () => undefined);
      sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'waits' } }));
      const { signal } = await started.promise;
      sent.destroy();
      await server.dropped;
      return { signal, go: () => go.resolve(), outcome: ended.promise, errors };
    } finally {
      await server.close();
    }
  }

  it('stops a read where the mount says so', async () => {
    const { signal, outcome: ended, errors } = await cut('reads', 'cancels');
    expect([await ended, signal.aborted, errors]).toEqual(['cancelled', true, []]);
  });

  it.each([
    ['reads', 'detached'],
    ['writes', 'detached'],
    ['writes', 'cancels'],
    ['destroys', 'cancels'],
  ] as const)('never stops a tool that %s on a mount that is %s', async (effect, disconnect) => {
    const { signal, go, outcome: ended } = await cut(effect, disconnect);
    go();
    expect([await ended, signal.aborted]).toEqual(['succeeded', false]);
  });

  it('hides no error of a read that never looked at the signal', async () => {
    const connection = new AbortController();
    const breaks = doing('breaks', () => {
      connection.abort();
      return Promise.reject(new Error('ours'));
    });
    const { serve, settled, errors } = mounted([breaks]);
    await serve(new Request(call('breaks'), { signal: connection.signal }));
    expect([settled[0]?.outcome, errors]).toEqual([
      'failed',
      [{ error: new Error('ours'), reference: 'ref-1' }],
    ]);
  });
});

describe('a tool that the caller may not see', () => {
  const tools = [doing('secret', fine, { access: needs('admin') })];

  it.each([
    ['legacy', legacyRequest],
    ['modern', modernRequest],
  ] as const)('MER-4 answers exactly like one that does not exist (%s)', async (_era, request) => {
    const { serve } = mounted(tools);
    const hidden = await said(serve, request('tools/call', { name: 'secret' }));
    const missing = await said(serve, request('tools/call', { name: 'nosuch' }));
    expect(hidden).toEqual({
      status: 200,
      body: { jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Unknown tool: secret' } },
    });
    expect(JSON.stringify(hidden).replace('secret', 'nosuch')).toBe(JSON.stringify(missing));
  });
});
