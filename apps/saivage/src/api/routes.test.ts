import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOf, goodRequest, withHeader } from '../testing/requests.ts';
import { analystToken, apiToken, openTestServer, type TestServer } from '../testing/server.ts';
import { exchange, headBytes } from '../testing/wire.ts';

const routes = ['/api/state', '/api/config', '/api/external-tool-calls', '/api/nothing'];

const get = async (server: TestServer, path: string, token?: string) => {
  const response = await fetch(server.origin + path, {
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe('the operator API with a token', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  it('SAI-5.3 answers who presents it', async () => {
    const state = await get(server, '/api/state', apiToken);
    expect(state).toMatchObject({
      status: 200,
      body: {
        runtime: { status: 'stopped' },
        analyst: { mode: 'both', principal: 'local-operator' },
      },
    });
    expect((await get(server, '/api/config', apiToken)).body).toMatchObject({
      server: { host: '127.0.0.1', port: 8080 },
      analyst_agent: 'analyst',
    });
    expect(await get(server, '/api/external-tool-calls', apiToken)).toEqual({
      status: 200,
      body: { receipts: [] },
    });
    expect(await get(server, '/api/nothing', apiToken)).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    });
  });

  it.each(routes)('SAI-5.3 answers nobody else: %s', async (path) => {
    for (const token of [undefined, 'wrong', '', `x${apiToken}`]) {
      expect(await get(server, path, token)).toEqual({
        status: 401,
        body: { error: 'unauthorized', message: 'The operator API wants its token as a bearer.' },
      });
    }
  });

  it.each(routes)('SAI-19.1 answers 401 to the Analyst token: %s', async (path) => {
    expect((await get(server, path, analystToken)).status).toBe(401);
  });

  it('SAI-19.2 gets 401 with its own token at the Analyst listener', async () => {
    const parts = withHeader(goodRequest(server), 'Authorization', `Bearer ${apiToken}`);
    expect((await exchange(server.analystPort, headBytes(parts) + parts.body)).status).toBe(401);
  });

  it('is healthy in public', async () => {
    expect((await fetch(`${server.origin}/health`)).status).toBe(200);
    const ready = await fetch(`${server.origin}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
  });
});

describe('the operator API without a token', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ guarded: false });
  });
  afterAll(() => server.close());

  it('SAI-5.4 answers whoever is on this machine, but for what needs a proven operator', async () => {
    expect((await get(server, '/api/state')).status).toBe(200);
    expect(await get(server, '/api/external-tool-calls')).toEqual({
      status: 401,
      body: {
        error: 'unauthorized',
        message: 'This needs SAIVAGE_API_TOKEN to be set when the server starts.',
      },
    });
  });

  it.each(routes)('SAI-19.1 answers 401 to the Analyst token here too: %s', async (path) => {
    expect((await get(server, path, analystToken)).status).toBe(401);
  });

  it('SAI-5.4 is not reached under a name that only resolves to this machine', async () => {
    const { port } = new URL(server.origin);
    const request = (host: string) => `GET /api/state HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    expect((await exchange(Number(port), request(`rebound.example:${port}`))).status).toBe(421);
    expect((await exchange(Number(port), request(`localhost:${port}`))).status).toBe(200);
  });
});

describe('the internal mode', () => {
  it('SAI-19.3 leaves the Analyst port closed', async () => {
    const server = await openTestServer({ mode: 'internal' });
    const socket = connect({ port: server.analystPort, host: '127.0.0.1' });
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
    expect((await get(server, '/api/state', apiToken)).body).toMatchObject({
      analyst: { mode: 'internal', tools: [] },
    });
    await server.close();
  });
});

describe('receipts', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer();
  });
  afterAll(() => server.close());

  const call = async (name: string, args: object = {}) => {
    const parts = goodRequest(server, callOf(name, args));
    return exchange(server.analystPort, headBytes(parts) + parts.body);
  };
  const page = async (query = '') => {
    const { status, body } = await get(server, `/api/external-tool-calls${query}`, apiToken);
    return { status, ...(body as { receipts: Record<string, unknown>[]; nextCursor?: string }) };
  };

  it('SAI-27.1 state who called what, how it ended and when, and nothing that was said', async () => {
    await call('count');
    await call('refuse');
    await call('count', { wrong: 'a secret argument' });
    await call('crash');
    const { receipts } = await page();
    expect(receipts.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['crash', 'uncertain'],
      ['count', 'rejected'],
      ['refuse', 'failed'],
      ['count', 'succeeded'],
    ]);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(receipts[0]).toEqual({
      receiptId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      principal: 'local-operator',
      tool: 'crash',
      outcome: 'uncertain',
      receivedAt: time,
      settledAt: time,
      durationMs: expect.any(Number),
    });
    expect(JSON.stringify(receipts)).not.toContain('secret');
  });

  it('SAI-27.1 are not written for names that are not offered', async () => {
    const before = await page();
    await call('get_card');
    expect(await page()).toEqual(before);
  });

  it('SAI-27.1 are not shown before the call is settled', async () => {
    const { receipts } = await page();
    const begun = server.probes.begun();
    const waiting = call('wait');
    await begun;
    expect((await page()).receipts).toEqual(receipts);
    server.probes.release();
    await waiting;
    expect((await page()).receipts[0]).toMatchObject({ tool: 'wait', outcome: 'succeeded' });
  });

  it('SAI-27.2 come in pages, the last settled first, each exactly once', async () => {
    for (let round = 0; round < 5; round += 1) await call('count');
    const { receipts: all } = await page('?limit=200');
    const paged: unknown[] = [];
    let cursor: string | undefined;
    do {
      const next = await page(`?limit=3${cursor === undefined ? '' : `&cursor=${cursor}`}`);
      expect(next.receipts.length).toBeLessThanOrEqual(3);
      paged.push(...next.receipts);
      cursor = next.nextCursor;
    } while (cursor !== undefined);
    expect(paged).toEqual(all);
  });

  it.each(['?limit=0', '?limit=201', '?limit=x', '?cursor=x', '?cursor=e30', '?offset=1'])(
    'SAI-27.2 refuse a wrong query: %s',
    async (query) => {
      expect(await get(server, `/api/external-tool-calls${query}`, apiToken)).toMatchObject({
        status: 400,
        body: { error: 'invalid_input' },
      });
    },
  );
});
