import type { ServerView, ToolsView } from './connections.ts';
import { errorOf, requireOpen, type Owner } from './owner.ts';
import { statusOf } from './states.ts';

/** A server as it may be shown. */
export function viewOf(owner: Owner): ServerView {
  const { serverName, definition, state, binding, attempt, trouble, counts } = owner;
  const { source, server } = definition;
  const isUndefined = state === 'retiring' || state === 'orphaned' || state === 'gone';
  return {
    serverName,
    source: isUndefined ? undefined : source,
    transport: server.transport,
    autostart: server.autostart,
    disabled: server.disabled,
    status: statusOf[state],
    toolCount: binding?.catalog.tools.length ?? 0,
    ...(binding && {
      bindingId: binding.bindingId,
      catalogId: binding.catalogId,
      revision: binding.connection.revision,
    }),
    processId: binding?.connection.pid ?? null,
    stdout: 'not_captured',
    stderr: 'not_captured',
    pendingCalls: attempt?.launch.pending ?? 0,
    calls: counts.of(),
    ...(trouble && { failure: trouble }),
  };
}

/** The tools of a server that takes calls. Throws `ServerError`. */
export function toolsOf(owner: Owner): ToolsView {
  requireOpen(owner, 'call');
  const { serverName, binding, counts } = owner;
  if (!binding) throw errorOf(owner, 'not_running');
  const { bindingId, catalogId, observedAt, catalog } = binding;
  const tools = catalog.tools.map((tool) => ({ ...tool, calls: counts.of(tool.name) }));
  return { serverName, bindingId, catalogId, observedAt, tools };
}
