import { Agent } from 'node:http';
import type { ChatRequest } from './conversation.ts';
import { readTurn, type ReadTurn } from './read-turn.ts';

/** So many turns, so many of them open at a time. */
export interface ReadOrder {
  readonly request: ChatRequest;
  readonly open: number;
  readonly turns: number;
}

/** All turns were read, or one could not be. */
export type ReadResult = { readonly turns: readonly ReadTurn[] } | { readonly failure: string };

const agent = new Agent({ keepAlive: true });

process.on('message', (order: ReadOrder) => {
  void readAll(order)
    .then((turns): ReadResult => ({ turns }))
    .catch((error: unknown): ReadResult => ({ failure: String(error) }))
    .then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit(0));

/** Every reader begins its next turn when it has read one. */
async function readAll({ request, open, turns }: ReadOrder): Promise<ReadTurn[]> {
  const read: ReadTurn[] = [];
  let begun = 0;
  const reader = async () => {
    while (begun++ < turns) read.push(await readTurn(request, agent));
  };
  await Promise.all(Array.from({ length: open }, reader));
  return read;
}
