import { ConnectionFailure, type Answer, type Progress } from '@portolan/mcp/connect';
import type { Ready, ToolCall } from './connections.ts';
import type { ServerError } from './errors.ts';
import { observed } from './observed.ts';
import { errorOf, news, readyOf, request, type Binding, type Owner } from './owner.ts';
import type { World } from './world.ts';

/** How a call is made. */
export interface CallWishes {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Reads the tool list of a server again. A stop that comes first makes the new list void. */
export async function refresh(
  owner: Owner,
  world: World,
  bindingId: string,
  signal: AbortSignal | undefined,
): Promise<Ready> {
  if (owner.binding) requireBinding(owner, owner.binding, bindingId);
  if (signal?.aborted) throw errorOf(owner, new ConnectionFailure('cancelled', { effects: 'none' }));
  request(owner, 'refresh');
  const { attempt, binding } = owner;
  if (!attempt || !binding) throw errorOf(owner, 'unclassified');
  const budget = world.budgets.refresh;
  const reading = binding.connection.refresh({ budget, ...(signal && { signal }) });
  attempt.launch.join(reading);
  const catalog = await reading.catch(async (error: unknown) => {
    news(owner, attempt, 'refresh_failed');
    throw await settled(owner, error);
  });
  const fresh = { ...binding, ...observed(catalog, world) };
  if (!news(owner, attempt, 'refreshed', { binding: fresh })) {
    await owner.ended;
    throw errorOf(owner, 'stopped');
  }
  owner.counts.keep(catalog);
  return readyOf(owner);
}

/** Calls a tool once. The connection compares the tool list again when the call is dispatched. */
export async function call(
  owner: Owner,
  world: World,
  { bindingId, catalogId, toolName, args }: ToolCall,
  wishes: CallWishes,
): Promise<Answer> {
  request(owner, 'call');
  const { attempt, binding } = owner;
  if (!attempt || !binding) throw errorOf(owner, 'unclassified');
  requireBinding(owner, binding, bindingId);
  if (binding.catalogId !== catalogId) throw errorOf(owner, 'catalog_stale');
  const tool = binding.catalog.tool(toolName);
  if (!tool) throw errorOf(owner, 'unknown_tool');
  const begin = world.now();
  const answering = binding.connection.call(tool, args, { ...wishes, budget: world.budgets.call });
  attempt.launch.join(answering);
  const count = (succeeded: boolean) => {
    const end = world.now();
    owner.counts.count(toolName, succeeded, end);
    const durationMs = end.getTime() - begin.getTime();
    world.called({ serverName: owner.serverName, toolName, succeeded, durationMs });
  };
  const answer = await answering.catch(async (error: unknown) => {
    if (hasGoneOut(error)) count(false);
    throw await settled(owner, error);
  });
  count(answer.isError !== true);
  return answer;
}

function requireBinding(owner: Owner, binding: Binding, bindingId: string): void {
  if (binding.bindingId !== bindingId) throw errorOf(owner, 'binding_stale');
}

/** What never went out, and what its caller gave up, is nothing that the tool did. */
function hasGoneOut(error: unknown): boolean {
  return (
    !(error instanceof ConnectionFailure) || (error.effects === 'possible' && error.code !== 'cancelled')
  );
}

/** The error of an exchange, once the end of the connection, where it ends, is known. */
async function settled(owner: Owner, error: unknown): Promise<ServerError> {
  await owner.ended;
  return error instanceof ConnectionFailure
    ? errorOf(owner, error)
    : errorOf(owner, 'unclassified', { cause: error });
}
