import type { Ready } from '../connections/connections.ts';
import { smooth, stage, type Direction } from './stage.ts';

/** How an agent defines a puppet. */
export const PEER = { transport: 'stdio', command: 'peer' };

/** A promise that a test lets go. */
export function gate() {
  let go: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    go = resolve;
  });
  return { opened, go };
}

/** A server that an agent has defined and started. */
export async function running(direction: Partial<Direction> = {}, more: { exclusive?: boolean } = {}) {
  const set = stage({ direction: { ...smooth, ...direction }, ...more });
  set.connections.register('peer', PEER);
  const ready = await set.connections.start('peer');
  const call = (text: string, ids: Ready = ready) => {
    const { serverName, bindingId, catalogId } = ids;
    return set.connections.call({ serverName, bindingId, catalogId, toolName: 'echo', args: { text } });
  };
  return { ...set, ready, call };
}
