import { createLog, edge } from '@portolan/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testRegister } from '../testing/site.ts';
import { logbookRoutes } from './logbook.ts';

const token = 'observer-token-0123456789-0123456789';
let register: Awaited<ReturnType<typeof testRegister>>;
let app: ReturnType<typeof edge>;
beforeAll(async () => {
  register = await testRegister();
  app = edge({ name: 'test', bodyLimit: 100_000, log: createLog({ name: 'test', level: 'error' }) });
  app.route('/', logbookRoutes({ db: register.db, token, now: () => Date.parse('2026-05-04T12:00:00Z') }));
});
afterAll(() => register.close());

async function post(body: unknown, authorization?: string) {
  const response = await app.request('/api/logbook', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body: JSON.stringify(body),
  });
  return [response.status, await response.json(), response.headers.get('www-authenticate')];
}

const visit = {
  source: 'ais-1',
  reference: 'x/1',
  harbour: 'EETLL',
  arrival: '2026-05-01T08:00:00Z',
  vesselClass: 'tanker',
};

describe('MER-32.4 the door of the observers', () => {
  it('merges what is reported with its own token', async () => {
    const bearer = `Bearer ${token}`;
    expect(await post({ entries: [visit] }, bearer)).toEqual([
      200,
      { added: 1, changed: 0, unchanged: 0 },
      null,
    ]);
    expect(await post({ entries: [visit] }, bearer)).toEqual([
      200,
      { added: 0, changed: 0, unchanged: 1 },
      null,
    ]);
    expect(await post({ entries: [{ ...visit, harbour: 'EEXXX' }] }, bearer)).toMatchObject([
      400,
      { error: 'invalid_input', message: expect.stringContaining('EEXXX') as string },
      null,
    ]);
    expect(await post({ entries: [{ ...visit, lengthM: 'long' }] }, bearer)).toMatchObject([
      400,
      { error: 'invalid_input' },
      null,
    ]);
  });

  it.each([undefined, `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`])(
    'lets nobody else in: %s',
    async (authorization) => {
      expect(await post({ entries: [] }, authorization)).toEqual([
        401,
        { error: 'invalid_token', message: 'Send the logbook token as a bearer token.' },
        'Bearer',
      ]);
    },
  );
});
