import * as fc from 'fast-check';
import { tools } from './world.ts';

const names = [...tools.map(({ name }) => name), 'nowhere'];

const call = fc.constantFrom(...names).map((name) => ({ name, args: {} }));

/** What the model does, step by step, over all turns of the chat. */
const step = fc.record({
  text: fc.option(fc.constantFrom('One.', 'Some words of an answer.'), { nil: undefined }),
  calls: fc.oneof(
    { weight: 1, arbitrary: fc.constant<{ name: string; args: Record<string, unknown> }[]>([]) },
    { weight: 4, arbitrary: fc.array(call, { minLength: 1, maxLength: 4 }) },
  ),
  delayMs: fc.nat(4),
});
/** A script that is long enough for every turn of a chat. */
export const script = fc.array(
  step.map(({ text, calls, delayMs }) => ({
    text: text ?? (calls.length === 0 ? 'Yes.' : undefined),
    calls: calls.length === 0 ? undefined : [...calls],
    delayMs,
  })),
  { minLength: 30, maxLength: 30 },
);

/** Nodes of the world. */
export const NODES = 3;

const node = fc.nat(NODES - 1);
/** What may happen to a chat, and from which node. */
export const op = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('message' as const), node }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('result' as const), node, which: fc.nat(7) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('decide' as const),
      node,
      which: fc.nat(7),
      how: fc.constantFrom('approve' as const, 'deny' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('continue' as const), node }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('stop' as const), node }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('join' as const), node, after: fc.nat(12) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('cut' as const), which: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('kill' as const), node }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('freeze' as const), node }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('sweep' as const), node }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('forbid' as const), which: fc.nat(4) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('release' as const) }) },
  { weight: 12, arbitrary: fc.record({ does: fc.constant('pause' as const), ms: fc.nat(15) }) },
);
export type Op = typeof op extends fc.Arbitrary<infer T> ? T : never;
