import { afterEach, describe, expect, it } from 'vitest';
import { byAddress, edge, listen, throttle } from './index.ts';
import type { EdgeOptions, Listener } from './index.ts';
import { memoryLog } from './testing/log.ts';

const open: Listener[] = [];
afterEach(() => Promise.all(open.splice(0).map((listener) => listener.close({ graceMs: 0 }))));

async function start(perSeconds: number, options: Partial<EdgeOptions> = {}) {
  const { log } = memoryLog();
  const app = edge({ log, name: 'throttled', bodyLimit: 64, ...options });
  app.use('/by-name', throttle({ name: 'name', points: 2, perSeconds, key: (c) => c.req.query('name') }));
  app.use('/by-address', throttle({ name: 'address', points: 1, perSeconds, key: byAddress }));
  app.get('/*', (c) => c.text('in'));
  const listener = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0, log });
  open.push(listener);
  return (path: string, headers: Record<string, string> = {}) => fetch(listener.origin + path, { headers });
}

describe('a throttle', () => {
  it('refuses what is above the budget of a key, and says when to come again', async () => {
    const ask = await start(60);
    expect((await ask('/by-name?name=ann')).status).toBe(200);
    expect((await ask('/by-name?name=ann')).status).toBe(200);
    const refused = await ask('/by-name?name=ann');
    expect(refused.status).toBe(429);
    // Its time runs from the first request on.
    expect(refused.headers.get('retry-after')).toMatch(/^(60|[1-5]\d)$/);
    expect(await refused.json()).toEqual({
      error: 'too_many',
      message: `Too many requests; try again in ${refused.headers.get('retry-after')} s.`,
    });
    expect((await ask('/by-name?name=ben')).status).toBe(200);
  });

  it('lets a request without a key pass', async () => {
    const ask = await start(60);
    for (let turn = 0; turn < 5; turn += 1) expect((await ask('/by-name')).status).toBe(200);
  });

  it('counts an IPv4 address, and the network of an IPv6 one', async () => {
    const ask = await start(60, { trustedProxies: ['127.0.0.1'] });
    const from = async (address: string) => (await ask('/by-address', { 'x-forwarded-for': address })).status;
    expect(await from('203.0.113.1')).toBe(200);
    expect(await from('203.0.113.1')).toBe(429);
    expect(await from('203.0.113.2')).toBe(200);
    expect(await from('2001:db8::1')).toBe(200);
    expect(await from('2001:0db8:0:0:ffff::2')).toBe(429);
    expect(await from('2001:db8:0:1::1')).toBe(200);
  });

  it('forgets when its time is over', async () => {
    const ask = await start(1);
    const until = async (status: number) => {
      while ((await ask('/by-name?name=ann')).status !== status);
    };
    await until(429);
    await until(200);
  });
});
