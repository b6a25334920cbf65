import { childrenOf, killAll, living, uniqueNap } from '@portolan/process/testing';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from './connect.ts';
import type { StdioDefinition } from './definition.ts';
import { callOf, textOf } from './testing/opened.ts';
import { scripted } from './testing/peer.ts';
import { echo, serve } from './testing/web.ts';

/** Two hundred rounds take a quarter of an hour; a hundredth of them is as good for the rule. */
const ROUNDS = process.env.PORTOLAN_TRUE_TIME ? 200 : 2;
const SOON = { interval: 10 };

let nap: number;
beforeEach(() => {
  nap = uniqueNap();
});
afterEach(() => killAll(nap));

/**
 * The worst that a server can be: behind a shell, deaf to SIGTERM and to the end of its input, with a daemon that left
 * its session and parent, wiped its environment and is deaf, too.
 */
function worst(): StdioDefinition {
  const { command, args, env } = scripted({ deaf: true });
  const deaf = "trap '' TERM HUP INT";
  const daemon = `(env -i setsid sh -c "${deaf}; sleep ${nap} & exec sleep ${nap}" </dev/null >/dev/null 2>&1 &)`;
  const script = `${daemon}; exec 3<&0; "$0" "$@" <&3 & wait`;
  return {
    transport: 'stdio',
    command: '/bin/sh',
    args: ['-c', script, command, ...args],
    env,
    cwd: tmpdir(),
  };
}

/** What this process holds: open files, and processes that it is the parent of. */
function held() {
  return { files: readdirSync('/proc/self/fd').length, children: childrenOf(process.pid).length };
}

/** What more is held than before. */
function more(before: ReturnType<typeof held>) {
  const now = held();
  return {
    files: Math.max(0, now.files - before.files),
    children: Math.max(0, now.children - before.children),
  };
}

/** Starts, calls and stops, so many times. Answers how often the stop was proven. */
async function rounds(count: number, round: () => Promise<boolean>): Promise<number> {
  let proven = 0;
  for (let made = 0; made < count; made++) proven += (await round()) ? 1 : 0;
  return proven;
}

describe('rounds of start, call and stop', () => {
  it(
    'SAI-36.2 of the worst server leave no process and no open file',
    { timeout: ROUNDS * 15_000 + 120_000 },
    async ({ annotate }) => {
      const definition = worst();
      const round = async () => {
        const connection = await connect(definition, { budget: 60_000 });
        expect(textOf(await callOf(connection, 'echo'))).toBe('{}');
        await expect.poll(() => living(nap).length, SOON).toBeGreaterThanOrEqual(3);
        const { contained } = await connection.close();
        return contained && living(nap).length === 0;
      };
      expect(await rounds(1, round)).toBe(1);
      const before = held();
      expect(await rounds(ROUNDS, round)).toBe(ROUNDS);
      await expect.poll(() => more(before), SOON).toEqual({ files: 0, children: 0 });
      await annotate(
        `${ROUNDS} rounds: ${before.files} open files and ${before.children} children before and after`,
      );
    },
  );

  it('SAI-36.2 over HTTP leave no open file', { timeout: ROUNDS * 1_000 + 120_000 }, async ({ annotate }) => {
    const { definition, server } = await serve({ echo });
    const round = async () => {
      const connection = await connect(definition, { budget: 60_000 });
      expect(textOf(await callOf(connection, 'echo'))).toBe('echo');
      return (await connection.close()).contained;
    };
    expect(await rounds(1, round)).toBe(1);
    await expect.poll(() => promisify(server.getConnections.bind(server))(), SOON).toBe(0);
    const before = held();
    expect(await rounds(5 * ROUNDS, round)).toBe(5 * ROUNDS);
    // The server of this test holds the other ends, and hears of their end a moment later.
    await expect.poll(() => more(before), SOON).toEqual({ files: 0, children: 0 });
    await annotate(`${5 * ROUNDS} rounds: ${before.files} open files before and after`);
  });
});
