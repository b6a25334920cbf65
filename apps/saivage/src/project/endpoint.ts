import { z } from 'zod';
import type { ProjectFolder } from './folder.ts';
import { inspectLock } from './lock.ts';
import { readState } from './state.ts';

/** `.saivage/endpoint.json`, as a ready server writes it. */
const Endpoint = z.looseObject({
  pid: z.int(),
  startTime: z.int(),
  origin: z.string(),
  analystUrl: z.string().optional(),
});

/** What the lock and the endpoint file say of a project's server. */
export type ServerState =
  | { readonly state: 'stopped' }
  | { readonly state: 'starting or stopping'; readonly pid: number }
  | { readonly state: 'running'; readonly pid: number; readonly origin: string; readonly analystUrl?: string }
  | { readonly state: 'doubtful'; readonly reason: string };

/** Looks for the server of a project without asking it. The lock decides; the endpoint only adds where it is. */
export function serverState({ lock, endpoint }: ProjectFolder): ServerState {
  const holding = inspectLock(lock);
  if (holding.state === 'free') return { state: 'stopped' };
  if (holding.state === 'doubtful') return holding;
  const { pid, startTime } = holding.owner;
  const said = readState(endpoint, Endpoint);
  if (said.found !== 'value' || said.value.pid !== pid || said.value.startTime !== startTime) {
    return { state: 'starting or stopping', pid };
  }
  const { origin, analystUrl } = said.value;
  return { state: 'running', pid, origin, ...(analystUrl !== undefined && { analystUrl }) };
}
