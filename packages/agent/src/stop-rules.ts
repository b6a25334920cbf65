import type { TokenUsage } from './events.ts';
import { callsOf, type Entry } from './history.ts';

/** What a stop rule sees, each time before the model would be asked. */
export interface TurnSoFar {
  readonly entries: readonly Entry[];
  /** Model calls of this turn, those of earlier runs included. */
  readonly steps: number;
  /** Of the model calls in this run. */
  readonly usage: TokenUsage;
}

/** Says in one word why the turn ends here, or nothing. */
export type StopRule = (turn: TurnSoFar) => string | undefined;

/** The model answered and called nothing. */
export const answered: StopRule = ({ entries }) => {
  const last = entries.at(-1);
  return last?.role === 'assistant' && last.ended === 'whole' && callsOf(last).length === 0
    ? 'answered'
    : undefined;
};

/** The turn has taken its steps. */
export function stepLimit(limit: number): StopRule {
  return ({ steps }) => (steps >= limit ? 'max_steps' : undefined);
}

/** The word of the first rule that speaks. */
export function firstReason(rules: readonly StopRule[], turn: TurnSoFar): string | undefined {
  for (const rule of rules) {
    const reason = rule(turn);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
