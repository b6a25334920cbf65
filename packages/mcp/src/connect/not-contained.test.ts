import { processScopes } from '@portolan/process';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect, ConnectionFailure } from '../connect.ts';
import { callOf, connected } from './testing/opened.ts';
import { openLog, scripted } from './testing/peer.ts';

/** How many ends of a scope fail from now on: a process that may not be killed, of a user whom no test can be. */
const reluctance = { left: 0 };
beforeAll(async () => {
  const scopes = await processScopes();
  const start = scopes.start.bind(scopes);
  vi.spyOn(scopes, 'start').mockImplementation(async (launch) => {
    const scope = await start(launch);
    const end: typeof scope.end = async (options) =>
      reluctance.left-- > 0 ? { contained: false, pids: [scope.pid] } : scope.end(options);
    return { ...scope, end };
  });
});
afterEach(() => {
  reluctance.left = 0;
});
afterAll(() => void vi.restoreAllMocks());

async function failureOf(work: Promise<unknown>): Promise<ConnectionFailure> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!(error instanceof ConnectionFailure)) throw new Error('it did not fail', { cause: error });
  return error;
}

describe('a server whose processes cannot be ended', () => {
  it('SAI-35.9 SAI-36.6 makes an active timeout an error of its own, with the processes that are left', async () => {
    const connection = await connected(scripted());
    reluctance.left = 1;
    const failure = await failureOf(callOf(connection, 'hang', {}, { budget: 100 }));
    expect(failure).toMatchObject({
      code: 'not_contained',
      effects: 'possible',
      message: 'The processes of the server could not be ended.',
      containment: { contained: false, pids: [connection.pid] },
      cause: { code: 'timeout' },
    });
    expect(await connection.ended).toMatchObject({
      failure: { code: 'timeout' },
      containment: { contained: false },
    });
    expect(await failureOf(callOf(connection, 'echo'))).toMatchObject({ code: 'closed', effects: 'none' });
    // Asked again, it tries again.
    expect(await connection.close()).toEqual({ contained: true });
    expect(await connection.close()).toEqual({ contained: true });
  });

  it('SAI-36.6 says so at close, as often as it is true', async () => {
    const connection = await connected(scripted());
    reluctance.left = 2;
    const left = { contained: false, pids: [connection.pid] };
    expect([await connection.close(), await connection.close()]).toEqual([left, left]);
    expect(await connection.close()).toEqual({ contained: true });
  });

  it('SAI-32.3 SAI-36.6 makes a failed start an error of its own, with its phase', async () => {
    reluctance.left = 1;
    const log = openLog();
    onTestFinished(log.close);
    const caller = new AbortController();
    const silent = scripted({ initializeMs: 1e9, log: log.file });
    const start = failureOf(connect(silent, { budget: 60_000, signal: caller.signal }));
    await expect.poll(() => log.received().map(({ method }) => method)).toContain('initialize');
    caller.abort();
    const failure = await start;
    expect(failure).toMatchObject({
      code: 'not_contained',
      phase: 'initialize',
      containment: { contained: false, pids: [expect.any(Number)] },
      cause: { code: 'cancelled' },
    });
    process.kill(
      failure.containment?.contained === false ? (failure.containment.pids[0] ?? 0) : 0,
      'SIGKILL',
    );
  });
});
