import { describe, expect, it } from 'vitest';
import type { Caller } from '../tool.ts';
import { callerWith, deferred, doing, legacyRequest, list, mounted, ask, said } from './testkit.ts';

const expected = callerWith(['one']);
const other = callerWith(['other']);

/** A mount of a tool that reads and one that writes, which tell for whom they began, and a request whose caller is still being decided. */
function undecided() {
  const began: string[] = [];
  const reading = deferred<void>();
  const tells = (name: string, effect: 'reads' | 'writes') =>
    doing(
      name,
      (_input, { caller }) => {
        began.push(`${name} for ${caller.scopes.join()}`);
        reading.resolve();
        return Promise.resolve({ content: [], structuredContent: { for: caller.scopes } });
      },
      { effect },
    );
  const broken = doing('break', () => {
    reading.resolve();
    throw new Error('broken');
  });
  const mount = mounted([tells('read', 'reads'), tells('write', 'writes'), broken]);
  const decision = deferred<Caller | Response>();
  const asked = (name: string) =>
    mount.serve(legacyRequest('tools/call', { name, arguments: {} }), {
      caller: decision.promise,
      expected,
    });
  return { ...mount, began, reading: reading.promise, decision, asked };
}

const no = () => new Response('no', { status: 401 });

describe('a call whose caller is expected and not yet certain', () => {
  it('begins where its tool reads, and is answered and told once the caller is who was expected', async () => {
    const { began, reading, settled, decision, asked } = undecided();
    const answered = asked('read');
    await reading;
    expect([began, settled]).toEqual([['read for one'], []]);
    decision.resolve(expected);
    const { result } = (await (await answered).json()) as { result: unknown };
    expect(result).toEqual({ content: [], structuredContent: { for: ['one'] } });
    expect(began).toEqual(['read for one']);
    expect(settled).toMatchObject([{ caller: expected, tool: 'read', outcome: 'succeeded' }]);
  });

  it('is answered with the refusal alone, and nobody is told of what was begun', async () => {
    for (const name of ['read', 'break']) {
      const { settled, errors, reading, decision, asked } = undecided();
      const answered = asked(name);
      await reading;
      decision.resolve(no());
      const response = await answered;
      expect([response.status, await response.text()]).toEqual([401, 'no']);
      expect([settled, errors]).toEqual([[], []]);
    }
  });

  it('begins nothing where its tool writes', async () => {
    const { began, settled, decision, asked } = undecided();
    const answered = asked('write');
    // Whatever can begin without the decision has begun by then.
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(began).toEqual([]);
    decision.resolve(no());
    expect((await answered).status).toBe(401);
    expect([began, settled]).toEqual([[], []]);
  });

  it('runs for whom it is, where that is not who was expected', async () => {
    const { began, reading, settled, decision, asked } = undecided();
    const answered = asked('read');
    await reading;
    decision.resolve(other);
    const { result } = (await (await answered).json()) as { result: unknown };
    expect(result).toMatchObject({ structuredContent: { for: ['other'] } });
    expect(began).toEqual(['read for one', 'read for other']);
    expect(settled).toMatchObject([{ caller: other }]);
  });

  it('that cannot be decided is an error of ours', async () => {
    const { serve, errors, settled } = undecided();
    const caller = Promise.reject(new Error('no database'));
    const answered = await said(
      (request) => serve(request, { caller, expected }),
      legacyRequest('tools/call', { name: 'read' }),
    );
    expect(answered.status).toBe(500);
    expect(errors).toEqual([{ error: new Error('no database'), reference: 'ref-1' }]);
    expect(settled).toEqual([]);
  });

  it('is refused before anything else is said of it', async () => {
    const { serve } = undecided();
    const { url, headers } = ask(list);
    const endless = new Request(url, { method: 'POST', headers, body: new ReadableStream(), duplex: 'half' });
    for (const request of [new Request(url), ask('{'), ask(list, {}), endless])
      expect((await serve(request, { caller: Promise.resolve(no()), expected })).status).toBe(401);
  });
});

it('nothing begins for a caller whom nobody expects', async () => {
  const { serve, began, decision } = undecided();
  const answered = serve(legacyRequest('tools/call', { name: 'read' }), { caller: decision.promise });
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(began).toEqual([]);
  decision.resolve(expected);
  expect((await answered).status).toBe(200);
});
