import { setMaxListeners } from 'node:events';
import type { Implementation } from '@modelcontextprotocol/client';
import type { Containment } from '@portolan/process';
import { readCatalog, type Catalog } from './catalog.ts';
import type { Channel, Ending } from './channel.ts';
import { requireFit, requireResult } from './check.ts';
import { startDeadline } from './deadline.ts';
import { ConnectionFailure } from './errors.ts';
import { exchange } from './exchange.ts';
import { LIMITS } from './limits.ts';
import { paramHeaders } from './param-headers.ts';
import { newQueue } from './queue.ts';
import type { Answer, Progress } from './pending.ts';
import { NEWEST, type Session } from './session.ts';
import type { CatalogTool } from './tool.ts';

/** How a call is made. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds from dispatch to the end of the answer; waiting for its turn does not count. 15 minutes if not given. */
  readonly budget?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Goes with the call as `_meta`. Keys carry a prefix of whoever defines them. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** An open connection to one server. It ends once, and is not opened again. */
export interface Connection {
  /** As the peer states itself. */
  readonly serverInfo: Implementation | undefined;
  readonly instructions: string | undefined;
  /** Protocol revision that was agreed on. */
  readonly revision: string;
  /** The local process; undefined over HTTP. */
  readonly pid: number | undefined;
  /** The last complete tool list: another object after each refresh, which is how a stale tool is known. */
  readonly catalog: Catalog;
  /** Calls that wait for their turn. */
  readonly waiting: number;
  /** Settles as soon as the connection is about to end, and says why: it takes no more calls. */
  readonly ending: Promise<ConnectionFailure>;
  /** Settles when the connection has ended, by itself or by `close`, and says what is left of its processes. */
  readonly ended: Promise<Ending>;
  /**
   * Calls a tool of the current catalog; catalog and arguments are checked before anything goes out, the catalog again
   * at its turn. Nothing is retried. Throws `ConnectionFailure`.
   */
  call(tool: CatalogTool, args: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Answer>;
  /** Reads the whole tool list again; `budget` in milliseconds with its wait. A failure keeps the old one. */
  refresh(options: { readonly budget: number; readonly signal?: AbortSignal }): Promise<Catalog>;
  /** Ends the connection and everything local that belongs to it. May be asked again while processes are left. */
  close(): Promise<Containment>;
}

/** The connection over a channel whose start is complete. */
export function newConnection(channel: Channel, session: Session, first: Catalog): Connection {
  const queue = newQueue();
  let catalog = first;
  let refreshing = false;

  const requireCurrent = (tool: CatalogTool) => {
    requireOpen(channel);
    if (catalog.tool(tool.name) !== tool) throw new ConnectionFailure('catalog_stale', { effects: 'none' });
  };
  const turn = (patience: Parameters<typeof queue.enter>[0]) =>
    channel.exclusive ? queue.enter(patience) : () => undefined;

  return {
    serverInfo: session.serverInfo,
    instructions: session.instructions,
    revision: session.revision,
    pid: channel.pid,
    ending: channel.ending,
    ended: channel.ended,
    get catalog() {
      return catalog;
    },
    get waiting() {
      return queue.waiting;
    },

    async call(tool, args, { signal = NEVER_ABORTED, budget = LIMITS.call, onProgress, meta } = {}) {
      requireCurrent(tool);
      requireFit(tool, args);
      const leave = await turn({ signal, reached: () => (signal.aborted ? 'cancelled' : undefined) });
      const deadline = startDeadline(budget, signal);
      try {
        requireCurrent(tool);
        const result = await exchange(channel, session, deadline, {
          method: 'tools/call',
          params: { name: tool.name, arguments: args, ...(meta && { _meta: meta }) },
          ...(session.revision === NEWEST && { headers: paramHeaders(tool.sent.inputSchema, args) }),
          onProgress,
        });
        requireResult(tool, result);
        return result;
      } finally {
        deadline.clear();
        leave();
      }
    },

    async refresh({ budget, signal }) {
      requireOpen(channel);
      if (refreshing) throw new ConnectionFailure('busy', { effects: 'none' });
      refreshing = true;
      const deadline = startDeadline(budget, signal);
      let leave = () => undefined as void;
      try {
        leave = await turn(deadline);
        requireOpen(channel);
        const next = await readCatalog(channel, session, deadline);
        requireOpen(channel);
        catalog = next;
        return next;
      } finally {
        refreshing = false;
        deadline.clear();
        leave();
      }
    },

    async close() {
      const { containment } = await channel.end(new ConnectionFailure('closed'), LIMITS.graceAsked);
      return containment;
    },
  };
}

/** A caller that never cancels. */
const NEVER_ABORTED = new AbortController().signal;
// All calls that wait listen to this one signal, and leave it when their turn comes.
setMaxListeners(0, NEVER_ABORTED);

function requireOpen(channel: Channel): void {
  if (channel.failure) throw new ConnectionFailure('closed', { effects: 'none', cause: channel.failure });
}
