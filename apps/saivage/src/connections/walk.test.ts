import type { Containment } from '@portolan/process';
import { describe, expect, it } from 'vitest';
import { cellsOf, REQUESTS } from '../testing/matrix.ts';
import { smooth, stage, type Direction, type Stage } from '../testing/stage.ts';
import type { Connections, Ready } from './connections.ts';
import { ServerError } from './errors.ts';
import { statusOf, type State } from './states.ts';

const PEER = { transport: 'stdio', command: 'peer' };
const LEFT: Containment = { contained: false, pids: [4711] };

/** A stage whose peer stops in the middle of what it is told to hold, until it is let go. */
interface Scene extends Stage {
  hold(what: keyof Direction): void;
  /** Nothing that it starts from now on can be ended. */
  stick(): void;
  release(): void;
  ready: Ready | undefined;
}

function scene(): Scene {
  const held = new Set<keyof Direction>();
  const waiting: (() => void)[] = [];
  let containment: Containment = { contained: true };
  const gate = async (what: keyof Direction) => {
    if (held.has(what)) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const direction: Direction = {
    ...smooth,
    initialize: () => gate('initialize'),
    list: async () => (await gate('list'), ['echo']),
    end: async () => (await gate('end'), containment),
  };
  const set = stage({ direction });
  set.connections.register('peer', PEER);
  return {
    ...set,
    ready: undefined,
    hold: (what) => void held.add(what),
    stick() {
      containment = LEFT;
    },
    release() {
      containment = { contained: true };
      held.clear();
      for (const go of waiting.splice(0)) go();
    },
  };
}

/** How an owner comes into each state that can be met from outside. */
const WAYS: Readonly<Record<Exclude<State, 'gone'>, (scene: Scene) => unknown>> = {
  unstarted: () => undefined,
  starting(at) {
    at.hold('initialize');
    void settled(at.connections.start('peer'));
  },
  running: up,
  async refreshing(at) {
    const ready = await up(at);
    at.hold('list');
    void settled(at.connections.refresh(ready));
  },
  async failing(at) {
    await up(at);
    at.hold('end');
    at.puppets[0]?.die();
    await Promise.resolve();
  },
  async stopping(at) {
    await up(at);
    at.hold('end');
    void settled(at.connections.stop('peer'));
  },
  async restarting(at) {
    await up(at);
    at.hold('end');
    void settled(at.connections.restart('peer'));
  },
  async stopped(at) {
    await up(at);
    await at.connections.stop('peer');
  },
  async failed(at) {
    at.hold('initialize');
    const starting = settled(at.connections.start('peer'));
    await expect.poll(() => at.puppets[0]?.alive, { interval: 1 }).toBe(true);
    at.puppets[0]?.die();
    await starting;
    at.release();
  },
  async blocked(at) {
    await up(at);
    at.stick();
    await settled(at.connections.stop('peer'));
  },
  async retiring(at) {
    await up(at);
    at.hold('end');
    void settled(at.connections.unregister('peer'));
  },
  async orphaned(at) {
    await up(at);
    at.stick();
    await settled(at.connections.unregister('peer'));
  },
};

async function up(at: Scene): Promise<Ready> {
  at.ready = await at.connections.start('peer');
  return at.ready;
}

/** What may be asked, as a caller does it who knows the ids of the first connection. */
const ASK: Readonly<Record<string, (at: Connections, ready: Ready | undefined) => unknown>> = {
  register: (at) => at.register('peer', PEER),
  start: (at) => at.start('peer'),
  stop: (at) => at.stop('peer'),
  restart: (at) => at.restart('peer'),
  refresh: (at, ready) => at.refresh({ serverName: 'peer', bindingId: ready?.bindingId ?? '' }),
  call: (at, ready) => at.call({ ...ids(ready), serverName: 'peer', toolName: 'echo', args: { text: 'x' } }),
  replace: (at) => at.replace('peer', { transport: 'stdio', command: 'other' }),
  unregister: (at) => at.unregister('peer'),
  close: (at) => at.close(),
};

const ids = (ready: Ready | undefined) => ({
  bindingId: ready?.bindingId ?? '',
  catalogId: ready?.catalogId ?? '',
});

/** How something ended: the code of a refusal, or nothing. */
async function settled(work: unknown): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error instanceof ServerError ? error.code : String(error);
  }
}

const cells = cellsOf(REQUESTS).filter(({ row }) => row !== 'gone');

describe.each(Object.entries(WAYS))('SAI-31.2 an owner that is %s', (state, go) => {
  const row = cells.filter((cell) => cell.row === state);
  it.each(row)('asked to $column answers $cell', async ({ column, cell }) => {
    const at = scene();
    await go(at);
    expect(statusAt(at)).toBe(statusOf[state as State]);

    const answered = settled(invoke(() => ASK[column]?.(at.connections, at.ready)));
    expect(statusAt(at)).toBe(cell.startsWith('!') ? statusOf[state as State] : statusAfter(cell));
    at.release();
    expect(await answered).toBe(REFUSALS[`${state} ${column}`] ?? /^!(.*)/.exec(cell)?.[1]);

    await at.connections.close();
    expect(at.puppets.filter(({ alive }) => alive)).toEqual([]);
  });
});

/** What is admitted and nevertheless fails: a call that waited for the refresh knows the list of before. */
const REFUSALS: Readonly<Record<string, string>> = { 'refreshing call': 'catalog_stale' };

const statusAt = ({ connections }: Scene) => connections.list()[0]?.status;
const statusAfter = (cell: string) => (cell === 'gone' ? undefined : statusOf[cell as State]);

/** Throws later what is thrown at once. */
async function invoke(ask: () => unknown): Promise<unknown> {
  return ask();
}
