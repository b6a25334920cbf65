import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connect, ConnectionFailure, type Connection } from '../connect.ts';
import { callOf, connected, textOf } from './testing/opened.ts';
import { listed, openLog, scripted, type Script } from './testing/peer.ts';

/** The true budgets are 180 seconds and more; a small part of them is as good for the rule. */
const SCALE = process.env.PORTOLAN_TRUE_TIME ? 1 : 40;
const BUDGET = 180_000 / SCALE;
/** For those that are to come up: a shortened budget has no room for a machine that does much else. */
const AMPLE = Math.max(BUDGET, 60_000);
const LONG = { timeout: 260_000 };

/** How a start failed. */
async function failure(
  definition: Parameters<typeof connect>[0],
  budget = 60_000,
): Promise<ConnectionFailure> {
  const error: unknown = await connect(definition, { budget }).then(
    (connection) => connection.close(),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConnectionFailure)) throw new Error('the start did not fail', { cause: error });
  return error;
}

/** Answers after how many seconds the start was given up. */
async function expectTimeout(failing: Promise<ConnectionFailure>, phase: string): Promise<string> {
  const begin = performance.now();
  expect(await failing).toMatchObject({ code: 'timeout', phase, containment: { contained: true } });
  const took = performance.now() - begin;
  expect(took).toBeGreaterThan(BUDGET - 50);
  expect(took).toBeLessThan(BUDGET + 30_000);
  return (took / 1_000).toFixed(1);
}

const pagesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    tools: [listed(`tool-${index}`)],
    ...(index < count - 1 && { nextCursor: `after-${index}` }),
  }));

describe('the budget of a start', () => {
  /** Shortened, the install is the shorter part: also on a busy machine it must be over well before the budget is. */
  const install: Script =
    SCALE === 1 ? { initializeMs: 75_000, pageMs: 10_000 } : { initializeMs: 500, pageMs: 400 };

  it(
    'A-03 SAI-32.1 is one over the silence of an install, the handshake and six slow pages',
    LONG,
    async ({ annotate }) => {
      const begin = performance.now();
      const connection = await connected(scripted({ ...install, pages: pagesOf(6) }), { budget: AMPLE });
      expect(connection.catalog.tools).toHaveLength(6);
      await annotate(
        `ready after ${((performance.now() - begin) / 1_000).toFixed(1)} s of ${AMPLE / 1_000} s`,
      );
    },
  );

  it('A-03 SAI-32.1 ends a list of twelve slow pages in its middle', LONG, async ({ annotate }) => {
    const start = failure(scripted({ ...install, pages: pagesOf(12) }), BUDGET);
    await annotate(`given up after ${await expectTimeout(start, 'tools/list')} s of ${BUDGET / 1_000} s`);
  });

  it(
    'A-03 SAI-32.2 belongs to each of ten starts at once, and to one that is never answered',
    LONG,
    async ({ annotate }) => {
      const starts = Array.from({ length: 10 }, () =>
        connected(scripted({ initializeMs: 30_000 / SCALE }), { budget: AMPLE }),
      );
      const never = expectTimeout(failure(scripted({ initializeMs: 1e9 }), BUDGET), 'initialize');
      expect((await Promise.all(starts)).map(({ catalog }) => catalog.tools.length)).toEqual(
        Array(10).fill(12),
      );
      await annotate(`ten ready; the silent one given up after ${await never} s of ${BUDGET / 1_000} s`);
    },
  );

  it('SAI-32.1 SAI-42.1 ends a greeting of 2026-07-28 that is never answered', async () => {
    const silent = { ...scripted(), command: 'sleep', args: ['1000'] };
    const start = connect(silent, { budget: 4_000, known: '2026-07-28' });
    await expect(start).rejects.toMatchObject({
      code: 'timeout',
      phase: 'server/discover',
      containment: { contained: true },
    });
  });

  it('SAI-32.2 is given up with its caller, contained', async () => {
    const caller = new AbortController();
    const start = connect(scripted({ initializeMs: 1e9, deaf: true }), {
      budget: 60_000,
      signal: caller.signal,
    });
    setTimeout(() => caller.abort(), 300);
    await expect(start).rejects.toMatchObject({ code: 'cancelled', containment: { contained: true } });
    await expect(connect(scripted(), { budget: 60_000, signal: caller.signal })).rejects.toMatchObject({
      code: 'cancelled',
      effects: 'none',
    });
  });
});

describe('a start that fails', () => {
  it.each([
    [{ ...scripted(), command: 'no-such-server' }, 'launch_failed', 'spawn'],
    [scripted({ exit: 7 }), 'peer_exited', 'initialize'],
    [scripted({ refuse: ['1999-01-01'] }), 'peer_error', 'initialize'],
    [scripted({ revision: '1999-01-01' }), 'revision_unsupported', 'initialize'],
    [scripted({ pages: [{ error: { code: -32603, message: 'broken' } }] }), 'peer_error', 'tools/list'],
  ] as const)('SAI-32.3 names its phase (%#)', async (definition, code, phase) => {
    expect(await failure(definition)).toMatchObject({ code, phase });
  });

  it('SAI-32.3 says how the server ended', async () => {
    expect((await failure(scripted({ exit: 7 }))).message).toBe('The server ended: with exit code 7.');
    expect((await failure({ ...scripted(), command: 'no-such-server' })).message).toBe(
      'The server could not be started: The command "no-such-server" is not on the PATH of its environment.',
    );
  });

  it('SAI-32.4 keeps the last 8 KiB of stderr, redacted, where no serialiser finds it', async () => {
    const secret = 'hunter2-hunter2';
    const stderr = `${'x'.repeat(20_000)} token=${secret} the reason`;
    const error = await failure(scripted({ stderr, exit: 1 }, { TOKEN: secret }));
    expect(error.stderr).toMatch(/^x+ token=\[redacted\] the reason$/);
    expect(error.stderr).toHaveLength(8 * 1024);
    expect(JSON.stringify(error) + error.message + String(error.cause)).not.toContain('the reason');
  });

  it('SAI-32.4 redacts a secret whole that begins like another, and one that looks like a path', async () => {
    const env = {
      SHORT: 'hunter2',
      LONG: 'hunter2-and-more',
      SLASH: '/3kJ9+w==',
      FLAG: 'on',
      HOME: '/home/me',
    };
    const stderr = `${env.LONG} ${env.SHORT} ${env.SLASH} on /home/me/.npm`;
    const error = await failure(scripted({ stderr, exit: 1 }, env));
    expect(error.stderr).toBe('[redacted] [redacted] [redacted] on /home/me/.npm');
  });
});

describe('stdout that is no JSON-RPC', () => {
  const log = `${JSON.stringify({ level: 'info', msg: 'ready' })}\n`;
  let neighbour: Connection;
  beforeAll(async () => {
    neighbour = await connect(scripted(), { budget: 60_000 });
  });
  afterAll(() => neighbour.close());

  const intruders = [
    [
      '(a) a log line in JSON before the handshake',
      { beforeInitialize: [log] },
      'not JSON-RPC 2.0',
      'initialize',
    ],
    [
      '(b) the same between two pages',
      {
        pages: [
          { tools: [], nextCursor: 'next' },
          { tools: [], before: [log] },
        ],
      },
      'not JSON-RPC 2.0',
      'tools/list',
    ],
    ['(c) plain text', { beforeInitialize: ['Listening on 3000\n'] }, 'a line is not JSON', 'initialize'],
    ['(d) null', { beforeInitialize: ['null\n'] }, 'a line is JSON, but no object', 'initialize'],
    ['(d) an array', { beforeInitialize: ['[]\n'] }, 'a line is JSON, but no object', 'initialize'],
    ['(d) a number', { beforeInitialize: ['42\n'] }, 'a line is JSON, but no object', 'initialize'],
    [
      '(e) an answer to nothing',
      { beforeInitialize: ['{"jsonrpc":"2.0","id":77,"result":{}}\n'] },
      'an answer to no request of ours',
      'initialize',
    ],
    [
      '(f) a line that never ends',
      { beforeInitialize: ['{"jsonrpc":'], exit: 0 },
      'it ends within a line',
      'initialize',
    ],
    ['bytes that are no UTF-8', { beforeInitialize: ['\n'] }, 'a line is not JSON', 'initialize'],
    [
      'an answer of the wrong shape',
      { beforeInitialize: ['{"jsonrpc":"2.0","id":0,"result":7}\n'] },
      'no valid',
      'initialize',
    ],
  ] as const;

  it.each(intruders)('A-02 SAI-37.1 is one stated failure, soon: %s', async (_, script, reason, phase) => {
    const error = await failure(scripted({ ...script, deaf: true }));
    expect(error).toMatchObject({ code: 'bad_stdout', phase, containment: { contained: true } });
    expect(error.message).toContain(reason);
    expect(textOf(await callOf(neighbour, 'echo', { a: 1 }))).toBe('{"a":1}');
  });
});

describe('the revision', () => {
  const logs: ReturnType<typeof openLog>[] = [];
  afterEach(() => logs.splice(0).forEach((log) => log.close()));
  const logged = () => {
    const log = openLog();
    logs.push(log);
    return log;
  };
  const methods = (log: ReturnType<typeof openLog>) => log.received().map(({ method }) => method);

  it('SAI-42.1 is 2025-11-25 where the server does not ask for another', async () => {
    const log = logged();
    const connection = await connected(scripted({ log: log.file }));
    expect(connection).toMatchObject({
      revision: '2025-11-25',
      serverInfo: { name: 'scripted', version: '1' },
    });
    expect(methods(log)).toEqual(['start', 'initialize', 'notifications/initialized', 'tools/list']);
    expect(log.received()[1]?.params).toMatchObject({ protocolVersion: '2025-11-25', capabilities: {} });
  });

  it('SAI-42.1 is 2026-07-28 where the server asks for it in its refusal, in the same process', async () => {
    const log = logged();
    const connection = await connected(scripted({ log: log.file, refuse: ['2026-07-28'] }));
    expect(connection).toMatchObject({
      revision: '2026-07-28',
      serverInfo: { name: 'scripted', version: '2' },
    });
    await callOf(connection, 'echo');
    expect(methods(log)).toEqual(['start', 'initialize', 'server/discover', 'tools/list', 'tools/call']);
    expect(log.received()[4]?.params).toMatchObject({
      name: 'echo',
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'portolan', version: '0.1.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    });
  });

  it('SAI-42.1 is spoken at once where it is known from an earlier time, and a stale verdict fails', async () => {
    const log = logged();
    await connected(scripted({ log: log.file, refuse: ['2026-07-28'] }), { known: '2026-07-28' });
    expect(methods(log)).toEqual(['start', 'server/discover', 'tools/list']);
    const stale = connect(scripted({ legacy: true }), { budget: 60_000, known: '2026-07-28' });
    await expect(stale).rejects.toMatchObject({ code: 'revision_unsupported', phase: 'server/discover' });
  });

  it('SAI-42.1 is not guessed from any other refusal', async () => {
    const log = logged();
    await failure(scripted({ log: log.file, refuse: ['2027-01-01'] }));
    expect(methods(log)).toEqual(['start', 'initialize']);
  });

  it('of 2026-07-28 lets no single tool spoil the list, and fails where the server asks back', async () => {
    const tools = [listed('raw'), { name: 'odd', inputSchema: 7 }, 'nonsense'];
    const connection = await connected(scripted({ refuse: ['2026-07-28'], pages: [{ tools }] }));
    expect(connection.catalog.tools.map(({ name }) => name)).toEqual(['raw', 'odd']);
    const asksBack = callOf(connection, 'raw', {
      result: { resultType: 'input_required', inputRequests: {} },
    });
    await expect(asksBack).rejects.toMatchObject({ code: 'input_required', effects: 'possible' });
  });
});
