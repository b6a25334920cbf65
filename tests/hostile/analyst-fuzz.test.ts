import { once } from 'node:events';
import {
  callOf,
  exchange,
  goodRequest,
  headBytes,
  open,
  openTestServer,
  readReply,
  withHeader,
  type Parts,
  type TestServer,
} from '@portolan/saivage/testing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Waits as long as any. */
let server: TestServer;
/** Ends soon what does not go on, which on a busy machine may be a good request. */
let hasty: TestServer;
beforeAll(async () => {
  const tools = ['count', 'read', 'get_status'];
  const limits = { headMs: 300, requestMs: 500, idleMs: 300, stallMs: 2000 };
  [server, hasty] = await Promise.all([openTestServer({ tools }), openTestServer({ tools, limits })]);
});
afterAll(() => Promise.all([server.close(), hasty.close()]));

/** Longer than the hasty listener waits for anything: a connection that is open then hangs. */
const HANG_MS = 60_000;
const AT_ONCE = 30;

/** Every status that a connection was answered with, until the listener ended it. */
async function converse(bytes: Uint8Array, { analystPort } = hasty): Promise<number[]> {
  const socket = await open(analystPort);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  const closed = once(socket, 'close', { signal: AbortSignal.timeout(HANG_MS) }).catch(() => {
    socket.destroy();
    throw new Error(`Still open after ${HANG_MS} ms: ${JSON.stringify(text)}`);
  });
  socket.write(bytes);
  await closed;
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((line) => Number(line[1]));
}

/** Many conversations at once: none hangs, none finds a fault of ours, and work is only done for an answer of 200. */
async function harmless(all: readonly Uint8Array[]): Promise<number[]> {
  const before = hasty.probes.runs();
  const statuses = (await Promise.all(all.map((bytes) => converse(bytes)))).flat();
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  const admitted = statuses.filter((status) => status === 200).length;
  expect(hasty.probes.runs() - before).toBeLessThanOrEqual(admitted);
  return statuses;
}

/** One check, with ways to break it. The first broken one, in this order, must decide the answer. */
interface Check {
  readonly status: number;
  readonly breaks: readonly ((parts: Parts) => Parts)[];
}

const set =
  (name: string, ...values: string[]) =>
  (parts: Parts) =>
    withHeader(parts, name, ...values);
/** Another body of at least the same size, so that a body which is too large stays so. */
const body = (text: string) => (parts: Parts) => ({ ...parts, body: text.padEnd(parts.body.length) });
const targeted = (change: (target: string) => string) => (parts: Parts) => ({
  ...parts,
  target: change(parts.target),
});

const checks: readonly Check[] = [
  {
    status: 403,
    breaks: [set('Host', 'localhost'), set('Host', 'a', 'b'), set('Host'), set('Origin', 'null')],
  },
  {
    status: 401,
    breaks: [
      set('Authorization'),
      set('Authorization', 'Bearer x'),
      set('Authorization', 'Bearer x', 'Bearer x'),
    ],
  },
  { status: 404, breaks: [targeted(() => '/'), targeted((target) => target.replace('/mcp/', '/MCP/'))] },
  { status: 405, breaks: ['GET', 'PUT', 'DELETE'].map((method) => (parts: Parts) => ({ ...parts, method })) },
  { status: 400, breaks: [targeted((target) => `${target}?a=b`), set('Mcp-Session-Id', 's')] },
  { status: 400, breaks: [set('Content-Type'), set('Content-Type', 'text/plain')] },
  { status: 406, breaks: [set('Accept'), set('Accept', 'application/json'), set('Accept', '*/*')] },
  { status: 413, breaks: [body(' '.repeat(1_048_577))] },
  {
    status: 400,
    breaks: [body('['), body('[]'), body('{}'), body('{"jsonrpc":"2.0","id":{},"method":"ping"}')],
  },
  { status: 400, breaks: [set('MCP-Protocol-Version'), set('MCP-Protocol-Version', '2026-07-28')] },
];

/** For each check: left alone, or broken in one of its ways. Most are left alone, so that late checks are reached too. */
const broken = fc.tuple(
  ...checks.map(({ breaks }) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...breaks) },
    ),
  ),
);

/** A text cut into pieces of any size. */
const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 8 });
function cut(text: string, [size, ...more]: readonly number[]): string[] {
  if (size === undefined || text.length <= size) return [text];
  return [text.slice(0, size), ...cut(text.slice(size), more)];
}

const request = (parts: Parts) => headBytes(parts) + parts.body;

/** Damage inside a text: bytes gone, bytes put in. Its end stays, since noise behind a good request is no damage to it. */
const damage = fc.record({
  at: fc.double({ min: 0, max: 0.98, noNaN: true }),
  remove: fc.integer({ min: 0, max: 40 }),
  insert: fc.oneof(
    fc.uint8Array({ maxLength: 8 }),
    fc.constantFrom(
      ...[
        '\r\n',
        '\n',
        '\0',
        ' ',
        ':',
        '\r\n\r\n',
        'Host: x\r\n',
        'Content-Length: 5\r\n',
        'Transfer-Encoding: chunked\r\n',
      ].map((text) => Buffer.from(text)),
    ),
  ),
});
const damaged = fc.array(damage, { minLength: 1, maxLength: 4 }).map((damages) =>
  damages.reduce<(bytes: Buffer) => Buffer>(
    (sofar, { at, remove, insert }) =>
      (bytes) => {
        const text = sofar(bytes);
        const place = Math.floor(at * text.length);
        return Buffer.concat([text.subarray(0, place), insert, text.subarray(place + remove)]);
      },
    (bytes) => bytes,
  ),
);

const message = fc.oneof(
  fc.jsonValue(),
  fc.record(
    { jsonrpc: fc.constant('2.0'), id: fc.jsonValue(), method: fc.string(), params: fc.jsonValue() },
    { requiredKeys: [] },
  ),
  fc
    .record({
      name: fc.oneof(fc.constantFrom('count', 'read', 'get_status'), fc.string()),
      input: fc.jsonValue(),
    })
    .map(({ name, input }) => callOf(name, input as object)),
);

describe('the Analyst listener under hostile bytes', () => {
  it('SAI-22.12 answers every mixture of faults with the first one in order, however it arrives, and does no work', async () => {
    await fc.assert(
      fc.asyncProperty(broken, sizes, async (ways, pieces) => {
        const parts = ways.reduce<Parts>((sofar, way) => (way ? way(sofar) : sofar), goodRequest(server));
        const first = ways.findIndex((way) => way !== undefined);
        const before = server.probes.runs();
        const socket = await open(server.analystPort);
        for (const piece of cut(request(parts), pieces)) socket.write(piece);
        const { status } = await readReply(socket);
        socket.destroy();
        expect(status).toBe(first === -1 ? 200 : checks[first]?.status);
        expect(server.probes.runs() - before).toBe(first === -1 ? 1 : 0);
      }),
      { numRuns: 300 },
    );
  });

  it('SAI-22.12 stays whole under requests with damaged bytes', async () => {
    const good = Buffer.from(request(goodRequest(hasty)));
    await fc.assert(
      fc.asyncProperty(fc.array(damaged, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (ways) => {
        await harmless(ways.map((way) => way(good)));
      }),
      { numRuns: 10, endOnFailure: true },
    );
  });

  it('SAI-22.12 stays whole under requests that break off, and under noise', async () => {
    const good = Buffer.from(request(goodRequest(hasty)));
    // Far enough from the end that noise does not repair it.
    const broken = fc.tuple(fc.integer({ min: 0, max: good.length - 10 }), fc.uint8Array({ maxLength: 300 }));
    await fc.assert(
      fc.asyncProperty(fc.array(broken, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (pairs) => {
        expect(await harmless(pairs.map(([end]) => good.subarray(0, end)))).not.toContain(200);
        await harmless(pairs.map(([, noise]) => noise));
        await harmless(pairs.map(([end, noise]) => Buffer.concat([good.subarray(0, end), noise])));
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });

  it('SAI-22.12 answers any JSON in the body with 200, 202 or 400, and works only for calls', async () => {
    await fc.assert(
      fc.asyncProperty(message, async (value) => {
        const before = server.probes.runs();
        const { status } = await exchange(
          server.analystPort,
          request(goodRequest(server, JSON.stringify(value))),
        );
        expect([200, 202, 400]).toContain(status);
        expect(server.probes.runs() - before).toBeLessThanOrEqual(status === 200 ? 1 : 0);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['deep nesting', 400, `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
    [
      'deep arguments',
      200,
      JSON.stringify(callOf('read')).replace(
        '"arguments":{}',
        `"arguments":{"path":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
      ),
    ],
    ['a key as long as the body', 200, JSON.stringify(callOf('read', { ['k'.repeat(900_000)]: 1 }))],
    [
      'a prototype',
      200,
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","__proto__":{"name":"count"}}}',
    ],
    ['a method of every object', 200, '{"jsonrpc":"2.0","id":1,"method":"constructor"}'],
    ['a number beyond all numbers as id', 400, '{"jsonrpc":"2.0","id":1e400,"method":"ping"}'],
  ])('SAI-22.12 stays whole under %s', async (_, status, text) => {
    const before = server.probes.runs();
    expect((await exchange(server.analystPort, request(goodRequest(server, text)))).status).toBe(status);
    expect(server.probes.runs()).toBe(before);
  });

  it('SAI-22.12 stays whole under more headers than node takes', async () => {
    const parts = goodRequest(server);
    const many = Array.from({ length: 1000 }, (_, at) => [`X-${at}`, 'x'.repeat(20)] as const);
    const reply = await exchange(
      server.analystPort,
      request({ ...parts, headers: [...parts.headers, ...many] }),
    );
    expect(reply.status).toBe(431);
  });

  it('SAI-22.12 answers requests in one pipeline each for itself', async () => {
    const good = request(goodRequest(server));
    const bad = request(withHeader(goodRequest(server), 'Mcp-Session-Id', 'x'));
    const before = server.probes.runs();
    const last = request(withHeader(goodRequest(server), 'Connection', 'close'));
    expect(await converse(Buffer.from(good + bad + last), server)).toEqual([200, 400, 200]);
    expect(server.probes.runs() - before).toBe(2);
  });

  it('SAI-22.12 has found nothing that the operator must look at', () => {
    const lines = [...server.logged(), ...hasty.logged()];
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});
