import type { Plan } from './bench.ts';
import type { ChatPlan } from './chat/bench.ts';
import { chatVariants } from './chat/variants.ts';
import type { ConnectionsPlan } from './connections/bench.ts';
import { ways } from './connections/ways.ts';
import type { DoorsPlan } from './doors/bench.ts';
import { sides } from './doors/subjects.ts';
import type { StdioPlan } from './stdio/bench.ts';
import { stdioClients } from './stdio/clients.ts';
import { variants } from './variants.ts';

/** What to run for each record. One without variants is not made. */
export interface Plans {
  readonly serving: Plan;
  readonly chat: ChatPlan;
  readonly stdio: StdioPlan;
  readonly connections: ConnectionsPlan;
  readonly doors: DoorsPlan;
}

/** One tiny round of everything: shows that each variant runs and answers, measures nothing. */
export const quickPlans: Plans = {
  serving: {
    variants: Object.keys(variants),
    rounds: 1,
    effort: { connections: 2, warmUp: 0, window: 0.1 },
  },
  chat: {
    variants: Object.keys(chatVariants),
    rounds: 1,
    tokens: 12,
    paceMs: 2,
    exercises: [
      { open: 1, streaming: 1, turnsEach: 2 },
      { open: 5, streaming: 3, turnsEach: 2 },
    ],
    cuts: { turns: 2, each: 3 },
  },
  stdio: { variants: Object.keys(stdioClients), rounds: 1, echoes: 3, bigs: 1, bytes: 9 * 2 ** 20 },
  connections: { variants: Object.keys(ways), rounds: 1, calls: 3, turn: 2, crowd: 2, startStops: 2 },
  doors: {
    variants: Object.keys(sides),
    rounds: 1,
    pairs: 1,
    grants: [2, 20],
    heating: { connections: 2, warmUp: 0, window: 0.1 },
    alone: { connections: 1, warmUp: 0, window: 0.1 },
    crowd: { connections: 2, warmUp: 0, window: 0.1 },
  },
};

/** Everything at full length; a counted window of the serving takes so many seconds. */
export function fullPlans(rounds: number, window: number): Plans {
  const { serving, chat, stdio, connections, doors } = quickPlans;
  return {
    serving: { ...serving, rounds, effort: { connections: 32, warmUp: window / 2, window } },
    chat: {
      ...chat,
      // Each round holds a thousand turns open: two of them show whether they agree.
      rounds: Math.min(rounds, 2),
      tokens: 60,
      paceMs: 50,
      exercises: [
        { open: 1, streaming: 1, turnsEach: 2 },
        { open: 100, streaming: 50, turnsEach: 2 },
        { open: 1000, streaming: 50, turnsEach: 2 },
      ],
      cuts: { turns: 20, each: 50 },
    },
    stdio: { ...stdio, rounds, echoes: 500, bigs: 5 },
    connections: { ...connections, rounds, calls: 300, turn: 20, crowd: 20, startStops: 200 },
    doors: {
      ...doors,
      rounds,
      pairs: 4,
      grants: [2, 1000, 100_000],
      heating: { connections: 16, warmUp: 0, window },
      // Many short windows tell a small difference better than few long ones.
      alone: { connections: 1, warmUp: window / 20, window: window / 10 },
      crowd: { connections: 16, warmUp: window / 15, window: window / 6 },
    },
  };
}

/** The plans with only these variants. */
export function narrowed(
  { serving, chat, stdio, connections, doors }: Plans,
  keeps: (name: string) => boolean,
): Plans {
  const kept = (names: readonly string[]) => names.filter(keeps);
  return {
    serving: { ...serving, variants: kept(serving.variants) },
    chat: { ...chat, variants: kept(chat.variants) },
    stdio: { ...stdio, variants: kept(stdio.variants) },
    connections: { ...connections, variants: kept(connections.variants) },
    doors: { ...doors, variants: kept(doors.variants) },
  };
}
