import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openStore } from './store.ts';
import { testStore } from './testing/index.ts';

/** Opens a store that must be refused. */
async function refusal(url: string): Promise<Record<string, unknown>> {
  const opening = openStore({ url, dataDir: '', app: 'harbour', migrations: [] });
  return opening.then(
    () => ({ refused: false }),
    (error: unknown) => error as Record<string, unknown>,
  );
}

describe('a given server', () => {
  it('is refused below version 15, by its own word', async () => {
    const old = await pretendServer('14.17', '140017');
    const error = await refusal(`postgres://me:secret@127.0.0.1:${portOf(old)}/db`);
    old.close();
    expect(error).toMatchObject({
      name: 'Misconfigured',
      code: 'server_too_old',
      message: 'PostgreSQL 14.17 is too old: 15 or newer is needed',
    });
  });

  it('that does not answer is named without its password', async () => {
    // Nobody is given a port so low by chance.
    const error = await refusal('postgres://me:secret@127.0.0.1:1/db');
    expect(error).toMatchObject({ code: 'server_unreachable' });
    expect(error.message).toContain('ECONNREFUSED');
    expect(error.message).not.toContain('secret');
  });

  it('that ends a connection as soon as it stands is named, and ends no process', async () => {
    const fatal = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection', ''].map((field) => `${field}\0`);
    const lost = await answering(Buffer.concat([greeting, message('E', Buffer.from(fatal.join('')))]));
    const error = await refusal(`postgres://me:secret@127.0.0.1:${portOf(lost)}/db`);
    lost.close();
    expect(error).toMatchObject({ code: 'server_unreachable' });
  });

  it.each(['nonsense', 'postgres://', 'http://127.0.0.1:1/x', 'postgres://me:%E0%A4%A@127.0.0.1/db'])(
    'must be named by a URL of PostgreSQL: %s is none',
    async (url) => {
      expect(await refusal(url)).toMatchObject({ code: 'server_unreachable' });
    },
  );

  it('gives sessions in UTC that see the tables of the app and stop runaway statements', async () => {
    const store = await testStore({ app: 'harbour', migrations: [] });
    const settings =
      await sql`select current_setting('search_path') as path, current_setting('TimeZone') as zone,
      current_setting('idle_in_transaction_session_timeout') as idle`.execute(store.db);
    expect(settings.rows).toEqual([{ path: 'harbour', zone: 'UTC', idle: '1min' }]);
    expect(store.mode).toBe('external');
    await store.close();
  });

  it('gives numbers for int8, text for dates without a zone, and refuses to round', async () => {
    const store = await testStore({ app: 'harbour', migrations: [] });
    const { rows } =
      await sql`select 9007199254740991::int8 as n, '2026-02-28'::date as d, '2026-02-28 03:00'::timestamp as t,
      '2026-02-28T03:00Z'::timestamptz as z, 1.10::numeric as m, '{"a":1}'::jsonb as j`.execute(store.db);
    expect(rows).toEqual([
      {
        n: 9_007_199_254_740_991,
        d: '2026-02-28',
        t: '2026-02-28 03:00:00',
        z: new Date('2026-02-28T03:00:00Z'),
        m: '1.10',
        j: { a: 1 },
      },
    ]);
    await expect(sql`select 9007199254740993::int8`.execute(store.db)).rejects.toThrow(
      'does not fit a number',
    );
    await store.close();
  });
});

/** Speaks just enough of the protocol to say its version to one query: a server that old is not at hand. */
function pretendServer(version: string, number: string): Promise<Server> {
  const columns = [column('version', 25), column('number', 23)];
  const values = [version, number].map((value) => Buffer.concat([int32(value.length), Buffer.from(value)]));
  const rows = [
    message('T', Buffer.concat([int16(2), ...columns])),
    message('D', Buffer.concat([int16(2), ...values])),
    message('C', Buffer.from('SELECT 1\0')),
    message('Z', Buffer.from('I')),
  ];
  return answering(greeting, Buffer.concat(rows));
}

/** Says one of these after the other, each when it has heard something, and the last one for good. */
async function answering(...answers: readonly Buffer[]): Promise<Server> {
  const server = createServer((socket) => {
    const left = [...answers];
    socket.on('data', () => {
      const answer = left.shift() ?? '';
      if (left.length > 0) socket.write(answer);
      else socket.end(answer);
    });
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

function message(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function column(name: string, type: number): Buffer {
  return Buffer.concat([
    Buffer.from(`${name}\0`),
    int32(0),
    int16(0),
    int32(type),
    int16(-1),
    int32(-1),
    int16(0),
  ]);
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
}

function int16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeInt16BE(value);
  return buffer;
}

/** A connection that stands. */
const greeting = Buffer.concat([message('R', int32(0)), message('Z', Buffer.from('I'))]);
