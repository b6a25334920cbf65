import { randomUUID } from 'node:crypto';
import { testStore } from '@portolan/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../migrations.ts';
import type { Tables } from '../tables.ts';
import { testRows } from '../testing/rows.ts';
import { admit } from './admit.ts';
import type { Admitted } from './admission.ts';
import { batchWriter, type Batch } from './commit.ts';
import { createCommitter, type Committer } from './committer.ts';

let store: Awaited<ReturnType<typeof testStore<Tables>>>;
let write: ReturnType<typeof batchWriter>;
beforeAll(async () => {
  store = await testStore<Tables>({ app: 'sveda', migrations });
  write = batchWriter(store.prepare);
});
afterAll(() => store.close());

const at = new Date('2026-01-01T00:00:00Z');

function begin(): Promise<Admitted> {
  const { db } = store;
  const admission = { db, wording: { contextTokens: 1_000 }, node: 'n', leaseMs: 60_000, newId: randomUUID };
  return admit({ ...admission, now: () => new Date() }, 'v', { message: { text: 'Hello' } }, () => true);
}

/** One piece of text, as the segment's next event. */
function piece({ turnId, chatId, fence, lastEvent }: Admitted, delta: string): Batch {
  const id = lastEvent + 1;
  return {
    turnId,
    fence,
    log: [{ type: 'text', delta }],
    position: 0,
    events: [{ type: 'text.delta', delta, id, chatId, turnId, at: at.toISOString() }],
    lastEvent: id,
    tell: false,
  };
}

/** What becomes of a batch that is given to a committer. */
function told(committer: Committer, batch: Batch): Promise<'wrote' | 'failed'> {
  return new Promise((resolve) => {
    let waiting: Batch | undefined = batch;
    const take = (): Batch | undefined => {
      const given = waiting;
      waiting = undefined;
      return given;
    };
    committer.ask({ take, wrote: () => resolve('wrote'), failed: () => resolve('failed') }, 'soon');
  });
}

async function textsOf({ turnId }: Admitted): Promise<unknown[]> {
  const events = `select body ->> 'delta' as delta from sveda.event where turn_id = '${turnId}' and body ->> 'type' = 'text.delta'`;
  return (await testRows(store.url, events)).map(({ delta }) => delta);
}

describe('one write for the turns of a node', () => {
  it('SVE-34.3 loses what was taken over and nothing else', async () => {
    const [taken, gone, kept] = [await begin(), await begin(), await begin()];
    await testRows(store.url, `update sveda.turn set fence = fence + 1 where id = '${taken.turnId}'`);
    await testRows(store.url, `delete from sveda.chat where id = '${gone.chatId}'`);
    const batches = [piece(taken, 'late'), piece(gone, 'erased'), piece(kept, 'kept')];
    const outcomes = await write(batches, at);
    expect([taken, gone, kept].map(({ turnId }) => outcomes.get(turnId))).toEqual([
      'lost',
      'lost',
      'written',
    ]);
    expect(await textsOf(taken)).toEqual([]);
    expect(await textsOf(kept)).toEqual(['kept']);
  });

  it('SVE-12.2 waits for nobody who looks at a turn, and writes that turn later', async () => {
    const [looked, free] = [await begin(), await begin()];
    await store.db.transaction().execute(async (tx) => {
      await tx.selectFrom('turn').select('id').where('id', '=', looked.turnId).forUpdate().execute();
      const outcomes = await write([piece(looked, 'later'), piece(free, 'now')], at);
      expect([looked, free].map(({ turnId }) => outcomes.get(turnId))).toEqual(['busy', 'written']);
    });
    expect((await write([piece(looked, 'later')], at)).get(looked.turnId)).toBe('written');
    expect([await textsOf(looked), await textsOf(free)]).toEqual([['later'], ['now']]);
  });

  it('lets a turn that the database refuses take no other with it', async () => {
    const turns = [await begin(), await begin(), await begin(), await begin(), await begin()];
    const batches = turns.map((turn, at) => ({ ...piece(turn, `${at}`), position: at === 3 ? 2 ** 40 : 0 }));
    const committer = createCommitter(
      (group) => write(group, at),
      () => performance.now(),
    );
    const fates = await Promise.all(batches.map((batch) => told(committer, batch)));
    expect(fates).toEqual(['wrote', 'wrote', 'wrote', 'failed', 'wrote']);
    expect(await Promise.all(turns.map(textsOf))).toEqual([['0'], ['1'], ['2'], [], ['4']]);
  });
});
