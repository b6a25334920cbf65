import type { Answer, CatalogTool, Phase, Progress } from '@portolan/mcp/connect';
import type { McpConnection } from '../config/schema.ts';

/** What the outside is told of a server. `running` only after its whole tool list was read. */
export type Status = 'stopped' | 'starting' | 'running' | 'refreshing' | 'stopping' | 'error';

/** A server that takes calls. Its two ids are new with each connection and with each complete tool list. */
export interface Ready {
  readonly serverName: string;
  readonly status: 'running';
  readonly toolCount: number;
  readonly bindingId: string;
  readonly catalogId: string;
}

/** A server of which nothing local is alive. */
export interface Stopped {
  readonly serverName: string;
  readonly status: 'stopped';
  readonly toolCount: 0;
}

/** How often tools were called since Saivage started. What was refused before it went out, or cancelled, does not count. */
export interface CallCounts {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly lastInvokedAt?: string;
}

/**
 * One server as it may be shown: nothing of its arguments, its address or its environment. Its command is named only
 * where it cannot be started.
 */
export interface ServerView {
  readonly serverName: string;
  /** Undefined where the definition is gone and processes that could not be ended hold its place. */
  readonly source: 'yaml' | 'dynamic' | undefined;
  readonly transport: McpConnection['transport'];
  readonly autostart: boolean;
  readonly disabled: boolean;
  readonly status: Status;
  readonly toolCount: number;
  /** While running or refreshing. */
  readonly bindingId?: string;
  readonly catalogId?: string;
  /** Protocol revision that was agreed on. */
  readonly revision?: string;
  /** An observation, no authority to signal it; null over HTTP and where there is none. */
  readonly processId: number | null;
  readonly stdout: 'not_captured';
  readonly stderr: 'not_captured';
  /** Calls that were admitted and are not settled. */
  readonly pendingCalls: number;
  readonly calls: CallCounts;
  /** Why it is not running, where it was not asked to stop. */
  readonly failure?: ServerTrouble;
}

/** The last failure of a server. */
export interface ServerTrouble {
  readonly code: string;
  readonly message: string;
  /** How far a failed start came. */
  readonly phase?: Phase;
  readonly at: string;
}

/** The complete tool list of a running server, as it was sent. */
export interface ToolsView {
  readonly serverName: string;
  readonly bindingId: string;
  readonly catalogId: string;
  readonly observedAt: string;
  readonly tools: readonly (CatalogTool & { readonly calls: CallCounts })[];
}

/** A call, with the two ids under which its caller has seen the tool. */
export interface ToolCall {
  readonly serverName: string;
  readonly bindingId: string;
  readonly catalogId: string;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Whether the servers that start together with Saivage have come up. */
export interface Readiness {
  readonly ready: boolean;
  /** The servers that are awaited or have failed. */
  readonly servers: readonly {
    readonly serverName: string;
    readonly status: 'starting' | 'failed';
    readonly phase?: Phase;
    readonly code?: string;
  }[];
}

/** Cancels what it is given to. */
export interface Cancellable {
  readonly signal?: AbortSignal;
}

/**
 * The MCP servers of a project. Every method throws or rejects with `ServerError` (see errors.ts), which says what is
 * known of the server then. Nothing is retried, undone or replayed.
 */
export interface Connections {
  /** Every definition, and every place that is held by what could not be ended; by name. */
  list(): readonly ServerView[];
  view(serverName: string): ServerView;
  /** Keeps a literal definition; launches nothing. The connection is checked here. */
  register(serverName: string, connection: unknown): ServerView;
  /** Puts another whole definition in the place of a dynamic one that is not alive; launches nothing. */
  replace(serverName: string, connection: unknown): ServerView;
  /** Removes a dynamic definition, then ends its server. A failure does not bring the definition back. */
  unregister(serverName: string): Promise<{ readonly serverName: string; readonly status: 'unregistered' }>;
  /** Connects and reads the whole tool list in one budget. A ready server answers its ids and nothing is launched. */
  start(serverName: string, options?: Cancellable): Promise<Ready>;
  /** Ends the server and waits for its start, its calls and the proof that nothing is left. */
  stop(serverName: string): Promise<Stopped>;
  /** Stop, then start. Not one step: a start that fails leaves it stopped. */
  restart(serverName: string, options?: Cancellable): Promise<Ready>;
  /** Reads the whole tool list again on the same connection. */
  refresh(
    which: { readonly serverName: string; readonly bindingId: string },
    options?: Cancellable,
  ): Promise<Ready>;
  /** The tools of a running server. */
  tools(serverName: string): ToolsView;
  /** Calls a tool once. Its ids are checked at admission and again at dispatch. */
  call(
    call: ToolCall,
    options?: Cancellable & { readonly onProgress?: (progress: Progress) => void },
  ): Promise<Answer>;
  /** Starts, at the same time, the servers that start together with Saivage. Never rejects: see `readiness`. */
  autostart(): Promise<void>;
  readiness(): Readiness;
  /** Refuses everything from now on and ends everything. Throws `ServerError` when something is left. */
  close(): Promise<void>;
}
