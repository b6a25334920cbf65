import { ConnectionFailure, type Connection } from '@portolan/mcp/connect';
import type { Containment } from '@portolan/process';
import { describe, expect, it } from 'vitest';
import { oneShot } from './one-shot.ts';

const LEFT: Containment = { contained: false, pids: [4711] };
const GONE: Containment = { contained: true };

/** A connection of which only the end matters. */
const ending = (containment: Containment) =>
  Promise.resolve({ close: () => Promise.resolve(containment) } as Connection);

const failing = async (containment: Containment, error: Error) => {
  const thrown: unknown = await oneShot(ending(containment), () => Promise.reject(error)).catch(
    (reason: unknown) => reason,
  );
  return thrown;
};

describe('one use of a connection', () => {
  it('SAI-7.5 answers the result with what is left of the processes', async () => {
    expect(await oneShot(ending(LEFT), async () => 'done')).toEqual({ result: 'done', containment: LEFT });
  });

  it('SAI-7.5 puts processes that are left before any other failure', async () => {
    const error = new ConnectionFailure('peer_error');
    expect(await failing(LEFT, error)).toMatchObject({
      code: 'not_contained',
      containment: LEFT,
      cause: error,
    });
  });

  it('SAI-7.5 counts the last look, and keeps a failure of another kind', async () => {
    const cause = new ConnectionFailure('timeout');
    const earlier = new ConnectionFailure('not_contained', { containment: LEFT, cause });
    expect(await failing(GONE, earlier)).toMatchObject({ code: 'timeout', containment: GONE });
    const other = new Error('of another kind');
    expect(await failing(GONE, other)).toBe(other);
  });
});
