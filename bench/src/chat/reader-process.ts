import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { ChatRequest } from './conversation.ts';
import { readTurn, type ReadTurn } from './read-turn.ts';

/** So many readers, each of whom reads so many turns, one after the other. */
export interface ReadOrder {
  readonly request: ChatRequest;
  readonly open: number;
  readonly turnsEach: number;
  /** Milliseconds over which the readers begin, evenly: visitors do not come all at once. */
  readonly spread: number;
}

/** A turn, and whether it began with all others open: not the first one of its reader. */
export interface CountedTurn extends ReadTurn {
  readonly amidst: boolean;
}

/** All turns were read, or one could not be. */
export type ReadResult = { readonly turns: readonly CountedTurn[] } | { readonly failure: string };

const agent = new Agent({ keepAlive: true });

process.on('message', (order: ReadOrder) => {
  void readAll(order)
    .then((turns): ReadResult => ({ turns }))
    .catch((error: unknown): ReadResult => ({ failure: String(error) }))
    .then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit(0));

async function readAll({ request, open, turnsEach, spread }: ReadOrder): Promise<CountedTurn[]> {
  const read: CountedTurn[] = [];
  const reader = async (_: unknown, index: number) => {
    await wait((spread / open) * index);
    for (let turn = 0; turn < turnsEach; turn++)
      read.push({ ...(await readTurn(request, agent)), amidst: turn > 0 });
  };
  await Promise.all(Array.from({ length: open }, reader));
  return read;
}
