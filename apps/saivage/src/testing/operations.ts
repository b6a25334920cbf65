import { EventEmitter, once } from 'node:events';
import { anyone, Refusal } from '@portolan/mcp/tool';
import { z } from 'zod';
import { operation, type Operation } from '../operations/operation.ts';

/** Operations that let a test see and steer work. */
export interface Probes {
  readonly operations: readonly Operation[];
  /** How often `count` ran. */
  readonly runs: () => number;
  /** Resolves when `wait` has begun so many times from now on. */
  readonly begun: (times?: number) => Promise<void>;
  /** Whether any `wait` was told to stop. */
  readonly aborted: () => boolean;
  /** Lets every `wait` end. */
  readonly release: () => void;
}

const base = {
  title: 'A probe',
  says: 'For tests.',
  access: anyone,
  effect: 'writes',
  input: z.strictObject({}),
  example: {},
} as const;

/** `count` counts its runs, `wait` runs until it is released, `refuse` says no, `crash` breaks. */
export function probes(): Probes {
  let runs = 0;
  let aborted = false;
  const events = new EventEmitter().setMaxListeners(0);
  const count = operation('count', { ...base, output: z.object({ runs: z.number() }) }).run(async () => ({
    runs: (runs += 1),
  }));
  const wait = operation('wait', { ...base, output: z.object({}) }).run(async (_, { signal }) => {
    const released = once(events, 'release');
    events.emit('begun');
    await released;
    aborted ||= signal.aborted;
    return {};
  });
  const refuse = operation('refuse', { ...base, output: z.object({}) }).run(async () => {
    throw new Refusal('conflict', 'Not now.');
  });
  const crash = operation('crash', { ...base, output: z.object({}) }).run(async () => {
    throw new Error('secret of the house');
  });
  return {
    operations: [count, wait, refuse, crash],
    runs: () => runs,
    begun: (times = 1) =>
      new Promise((resolve) => {
        let left = times;
        events.on('begun', () => {
          left -= 1;
          if (left === 0) resolve();
        });
      }),
    aborted: () => aborted,
    release: () => events.emit('release'),
  };
}
