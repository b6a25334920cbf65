import { get, request as ask, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { createGunzip } from 'node:zlib';
import { startModelServer } from '@portolan/agent/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nginxProgram, startNginx } from '../testing/nginx.ts';
import { testNodes } from '../testing/nodes.ts';

const PACE_MS = 200;
const text = Array.from({ length: 25 }, (_, index) => `token${index}`).join(' ');

let model: Awaited<ReturnType<typeof startModelServer>>;
let nodes: Awaited<ReturnType<typeof testNodes>>;
let headers: Record<string, string>;
beforeAll(async () => {
  model = await startModelServer(() => ({ text, paceMs: PACE_MS }));
  nodes = await testNodes(
    `models: [{ provider: openai-compatible, model: m, baseURL: '${model.baseURL}' }]`,
    1,
  );
  headers = await nodes.mint({ visitor_id: 'v' });
});
afterAll(async () => {
  await nodes.close();
  await model.close();
});

/** Posts a message and notes when each piece of the body arrives, in milliseconds from the request. */
async function timed(origin: string, more: Record<string, string>, most = Number.POSITIVE_INFINITY) {
  const begin = performance.now();
  const sent = ask(new URL('/sveda/stream', origin), {
    method: 'POST',
    agent: false,
    headers: { ...headers, ...more, 'content-type': 'application/json' },
  });
  sent.end(JSON.stringify({ message: { text: 'Count' } }));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const head = performance.now() - begin;
  const isZipped = response.headers['content-encoding'] === 'gzip';
  const body = isZipped ? response.pipe(createGunzip()) : response;
  const arrivals: number[] = [];
  let whole = '';
  for await (const chunk of body) {
    const piece = String(chunk);
    whole += piece;
    if (piece.includes('text.delta')) arrivals.push(performance.now() - begin);
    if (arrivals.length >= most) break;
  }
  return { response, head, arrivals, whole, isZipped };
}

const gaps = (arrivals: readonly number[]) =>
  arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? 0));
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

describe('C-01 a stream behind a proxy', () => {
  it('SVE-11.3 says that it may be neither buffered nor changed, is not compressed, and its head goes out before the first token', async () => {
    const { response, head, arrivals } = await timed(
      nodes.origins[0] ?? '',
      { 'accept-encoding': 'gzip' },
      1,
    );
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-sveda-protocol-version': '1',
    });
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(head).toBeLessThan(arrivals[0] ?? 0);
  });

  it.skipIf(nginxProgram === undefined)(
    'arrives token by token through the nginx configuration that we ship, with default buffering and gzip on',
    // A machine that is busy elsewhere for a moment is no buffering proxy.
    { retry: 2 },
    async () => {
      const plain = 'gzip on;';
      const all = 'gzip on; gzip_types *; gzip_proxied any; gzip_http_version 1.0;';
      const read = await Promise.all(
        [plain, all].map(async (directives) => {
          const nginx = await startNginx(nginxProgram ?? '', nodes.origins[0] ?? '', directives);
          try {
            const ready = get(new URL('/sveda/health', nginx.origin), { agent: false });
            await once(ready, 'response');
            return await timed(nginx.origin, { 'accept-encoding': 'gzip' });
          } finally {
            await nginx.close();
          }
        }),
      );
      expect(read.map(({ isZipped }) => isZipped)).toEqual([false, true]);
      for (const { arrivals, whole } of read) {
        expect(arrivals[0]).toBeLessThan(1_000);
        expect(arrivals.length).toBeGreaterThan(20);
        expect(median(gaps(arrivals))).toBeGreaterThan(PACE_MS / 2);
        expect(median(gaps(arrivals))).toBeLessThan(PACE_MS * 2);
        expect(whole).toContain('data: [DONE]');
      }
    },
  );
});
