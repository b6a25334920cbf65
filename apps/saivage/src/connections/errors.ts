import { ConnectionFailure, type FailureCode, type Phase } from '@portolan/mcp/connect';
import type { Containment } from '@portolan/process';
import type { Status } from './connections.ts';

/** Who must act. */
export type Actor = 'caller' | 'operator' | 'server' | 'us';

interface Kind {
  /** HTTP status. */
  readonly status: number;
  readonly acts: Actor;
  readonly says: string;
}

const kind = (status: number, acts: Actor, says: string): Kind => ({ status, acts, says });

/** What can be wrong before anything goes out, and what can become of a server. */
const KINDS = {
  invalid_definition: kind(400, 'caller', 'The definition of the server is not valid'),
  unknown_server: kind(404, 'caller', 'There is no definition of this server'),
  never_started: kind(404, 'caller', 'The server was never started; start it'),
  unknown_tool: kind(404, 'caller', 'The server has no tool of this name'),
  name_taken: kind(409, 'caller', 'The name is already defined'),
  too_many_servers: kind(409, 'caller', 'There are too many definitions'),
  not_dynamic: kind(
    409,
    'operator',
    'The server is defined in saivage.yaml, which only its operator changes',
  ),
  disabled: kind(409, 'operator', 'The server is disabled in saivage.yaml'),
  not_running: kind(409, 'caller', 'The server is not running'),
  not_stopped: kind(409, 'caller', 'The server is not stopped'),
  busy: kind(409, 'caller', 'Another operation on the server is going on'),
  owner_changed: kind(409, 'caller', 'Another operation on the server has come between'),
  binding_stale: kind(
    409,
    'caller',
    'The bindingId is not that of the present connection; read the tools again',
  ),
  catalog_stale: kind(
    409,
    'caller',
    'The catalogId is not that of the present tool list; read the tools again',
  ),
  blocked: kind(409, 'operator', 'Processes of the server could not be ended; stop it again'),
  stopped: kind(409, 'caller', 'The server was stopped meanwhile'),
  application_closed: kind(503, 'caller', 'Saivage is closing'),
  unclassified: kind(500, 'us', 'The operation broke'),
} as const;

/** What a failed connection means to its caller. */
const STATUS: Partial<Record<FailureCode, readonly [status: number, acts: Actor]>> = {
  arguments_invalid: [400, 'caller'],
  tool_unusable: [422, 'server'],
  busy: [409, 'caller'],
  catalog_stale: [409, 'caller'],
  closed: [409, 'caller'],
  cancelled: [499, 'caller'],
  timeout: [504, 'server'],
  not_contained: [500, 'operator'],
};

/** To branch on. */
export type ServerErrorCode = keyof typeof KINDS | FailureCode;

/** What an error is made of: a code of ours, or what the connection says. */
export type ServerErrorKind = keyof typeof KINDS | ConnectionFailure;

/** Codes of ours after which something has happened nevertheless. */
const DONE: readonly ServerErrorKind[] = ['owner_changed', 'stopped', 'unclassified'];

/** What is known when an operation fails. */
export interface ServerFacts {
  readonly serverName: string;
  /** The state of the server as it is known here. It says nothing of what the peer has done. */
  readonly serverStatus?: Status;
  /** Completes the sentence. */
  readonly reason?: string;
  readonly cause?: unknown;
}

/**
 * An operation on an MCP server failed. The message is ours and may be shown: it holds no text of the peer, nothing of
 * stderr and no secret.
 */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: ServerErrorCode;
  /** HTTP status for the operator API. */
  readonly status: number;
  readonly acts: Actor;
  /** `none` where certainly nothing of the request went out. */
  readonly effects: 'none' | 'possible';
  readonly serverName: string;
  readonly serverStatus: Status | undefined;
  /** How far a failed start came; undefined for everything else. */
  readonly phase: Phase | undefined;
  /** What is proven about local processes, where the failure has ended them. */
  readonly containment: Containment | undefined;
  /** The peer's own words, cut; not to be trusted. */
  readonly peer: ConnectionFailure['peer'];
  /** Why arguments or a result do not fit their schema: bounded, without anything of the value. Names are the peer's. */
  readonly rows: readonly string[];

  constructor(code: ServerErrorKind, facts: ServerFacts) {
    const { serverName, serverStatus, reason, cause } = facts;
    const failure = code instanceof ConnectionFailure ? code : undefined;
    const { status, acts, says } = code instanceof ConnectionFailure ? kindOf(code) : KINDS[code];
    super(`${says}${reason === undefined ? '' : `: ${reason}`}${failure ? '' : '.'}`, {
      cause: cause ?? failure,
    });
    this.code = code instanceof ConnectionFailure ? code.code : code;
    this.status = status;
    this.acts = acts;
    this.effects = failure?.effects ?? (DONE.includes(code) ? 'possible' : 'none');
    this.serverName = serverName;
    this.serverStatus = serverStatus;
    this.phase = failure?.phase;
    this.containment = failure?.containment;
    this.peer = failure?.peer;
    this.rows = failure?.rows ?? [];
  }
}

/** A failed start is the server's matter, whatever it was, and never the request's. */
function kindOf({ code, phase, message }: ConnectionFailure): Kind {
  const [status, acts] = STATUS[code] ?? [502, 'server'];
  return kind(phase && code !== 'cancelled' ? 500 : status, acts, message);
}
