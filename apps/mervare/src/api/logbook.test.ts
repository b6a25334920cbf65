import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { servers } from '../mcp/servers.ts';
import { testSite } from '../testing/site.ts';

const token = 'observer-token-0123456789-0123456789';
let site: Awaited<ReturnType<typeof testSite>>;
beforeAll(async () => {
  site = await testSite(servers, { LOGBOOK_TOKEN: token });
});
afterAll(() => site.close());

async function post(body: unknown, authorization?: string, origin = site.origin) {
  const response = await fetch(new URL('/api/logbook', origin), {
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
    const report = (more: object = {}) => post({ entries: [{ ...visit, ...more }] }, bearer);
    expect(await report()).toEqual([200, { added: 1, changed: 0, unchanged: 0 }, null]);
    expect(await report()).toEqual([200, { added: 0, changed: 0, unchanged: 1 }, null]);
    const fault = (message: string) => [
      400,
      { error: 'invalid_input', message: expect.stringContaining(message) as string },
      null,
    ];
    expect(await report({ harbour: 'EEXXX' })).toEqual(fault('EEXXX: there is no such harbour'));
    expect(await report({ lengthM: 'long' })).toEqual(fault('lengthM'));
    expect(site.logged.join('')).not.toContain(token);
  });

  it('MER-30.9 leaves one row in the audit trail for each report that changed something, and nothing of what it said', async () => {
    const { db } = site.register;
    await db.deleteFrom('audit').execute();
    const references = ['r/1', 'r/2', 'r/3'];
    const entries = references.map((reference) => ({ ...visit, reference }));
    for (let turn = 0; turn < 2; turn += 1) await post({ entries }, `Bearer ${token}`);
    await post({ entries: [{ ...visit, harbour: 'EEXXX' }] }, `Bearer ${token}`);
    const made = await db
      .selectFrom('logbook_entry')
      .select('id')
      .where('reference', 'in', references)
      .orderBy('id')
      .execute();
    const rows = await db.selectFrom('audit').selectAll().execute();
    expect(rows).toEqual([
      {
        id: expect.any(String),
        n: expect.anything(),
        at: expect.any(Date),
        credential: 'logbook_token',
        who: 'observer',
        person: null,
        action: 'logbook.import',
        ids: [made[0]?.id, made[2]?.id],
        count: 3,
      },
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

  it('is not there without a token, and takes none that is short', async () => {
    const closed = await testSite();
    try {
      const [status] = await post({ entries: [visit] }, `Bearer ${token}`, closed.origin);
      expect(status).toBe(404);
    } finally {
      await closed.close();
    }
    expect(readConfig({ LOGBOOK_TOKEN: 'short' }).faults).toEqual([
      'LOGBOOK_TOKEN must have 32 characters or more, all of them letters, digits or . ~ + / - _.',
    ]);
  });
});
