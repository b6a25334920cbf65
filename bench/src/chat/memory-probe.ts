/**
 * Loaded into a server that is measured: answers `memory` over the channel to its parent with what it holds once all garbage is
 * collected. It keeps no process alive.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes. */
export interface Memory {
  /** On the heap and beside it, without garbage. */
  readonly held: number;
  /** Of the whole process. */
  readonly resident: number;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

process.on('message', (message) => {
  if (message !== 'memory') return;
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ held: heapUsed + external, resident: rss } satisfies Memory);
});
process.channel?.unref();
