import type { Status } from './connections.ts';

/**
 * The owner of one server: what it is doing with its one connection.
 *
 * `failing`: the connection has ended by itself and its processes are being ended. `restarting`: it is being ended in
 * order to start again. `retiring`: it is being ended for good, its definition gone or Saivage closing. `blocked` and
 * `orphaned`: what is left of it could not be ended, with and without a definition. `gone`: nothing is left of it.
 */
export type State =
  | 'unstarted'
  | 'starting'
  | 'running'
  | 'refreshing'
  | 'failing'
  | 'stopping'
  | 'restarting'
  | 'stopped'
  | 'failed'
  | 'blocked'
  | 'retiring'
  | 'orphaned'
  | 'gone';

/** What may be asked of an owner, in the order of the columns. */
export const requests = [
  'register',
  'start',
  'stop',
  'restart',
  'refresh',
  'call',
  'replace',
  'unregister',
  'close',
] as const;
export type Request = (typeof requests)[number];

/**
 * What may happen to an owner, in the order of the columns. `failed` and `stuck`: a start has failed, with nothing left
 * of it or with something. `contained` and `not_contained`: how the end of a connection came out.
 */
export const happenings = [
  'ready',
  'failed',
  'stuck',
  'refreshed',
  'refresh_failed',
  'lost',
  'cancelled',
  'contained',
  'not_contained',
] as const;
export type Happening = (typeof happenings)[number];

/** Why a request is refused: a code of `ServerError`. */
export interface Refused {
  readonly refused:
    'name_taken' | 'never_started' | 'not_running' | 'not_stopped' | 'busy' | 'blocked' | 'unknown_server';
}

const TAKEN: Refused = { refused: 'name_taken' };
const NEVER: Refused = { refused: 'never_started' };
const DOWN: Refused = { refused: 'not_running' };
const ALIVE: Refused = { refused: 'not_stopped' };
const BUSY: Refused = { refused: 'busy' };
const BLOCKED: Refused = { refused: 'blocked' };
const UNKNOWN: Refused = { refused: 'unknown_server' };

// prettier-ignore
const REQUESTS: Readonly<Record<State, readonly (State | Refused)[]>> = {
  //           register start       stop        restart       refresh       call          replace      unregister  close
  unstarted:  [TAKEN,   'starting', NEVER,      NEVER,        DOWN,         DOWN,         'unstarted', 'gone',     'gone'],
  starting:   [TAKEN,   BUSY,       'stopping', 'restarting', BUSY,         DOWN,         ALIVE,       'retiring', 'retiring'],
  running:    [TAKEN,   'running',  'stopping', 'restarting', 'refreshing', 'running',    ALIVE,       'retiring', 'retiring'],
  refreshing: [TAKEN,   BUSY,       'stopping', 'restarting', BUSY,         'refreshing', ALIVE,       'retiring', 'retiring'],
  failing:    [TAKEN,   BUSY,       'stopping', 'restarting', BUSY,         DOWN,         ALIVE,       'retiring', 'retiring'],
  stopping:   [TAKEN,   BUSY,       'stopping', BUSY,         BUSY,         DOWN,         ALIVE,       'retiring', 'retiring'],
  restarting: [TAKEN,   BUSY,       'stopping', BUSY,         BUSY,         DOWN,         ALIVE,       'retiring', 'retiring'],
  stopped:    [TAKEN,   'starting', 'stopped',  'starting',   DOWN,         DOWN,         'stopped',   'gone',     'gone'],
  failed:     [TAKEN,   'starting', 'stopped',  'starting',   DOWN,         DOWN,         'stopped',   'gone',     'gone'],
  blocked:    [TAKEN,   BLOCKED,    'stopping', 'restarting', DOWN,         DOWN,         BLOCKED,     'retiring', 'retiring'],
  retiring:   [BUSY,    UNKNOWN,    'retiring', UNKNOWN,      UNKNOWN,      UNKNOWN,      UNKNOWN,     UNKNOWN,    'retiring'],
  orphaned:   [BLOCKED, UNKNOWN,    'retiring', UNKNOWN,      UNKNOWN,      UNKNOWN,      UNKNOWN,     UNKNOWN,    'retiring'],
  gone:       [UNKNOWN, UNKNOWN,    UNKNOWN,    UNKNOWN,      UNKNOWN,      UNKNOWN,      UNKNOWN,     UNKNOWN,    'gone'],
};

/** News that comes too late to change anything. */
const LATE = 'late';
/** What cannot happen there: a fault of ours. */
const FAULT = 'fault';

// prettier-ignore
const HAPPENINGS: Readonly<Record<State, readonly (State | typeof LATE | typeof FAULT)[]>> = {
  //           ready      failed    stuck      refreshed  refresh_failed  lost       cancelled   contained   not_contained
  unstarted:  [FAULT,     FAULT,    FAULT,     FAULT,     FAULT,          FAULT,     LATE,       FAULT,      FAULT],
  starting:   ['running', 'failed', 'blocked', FAULT,     FAULT,          FAULT,     LATE,       FAULT,      FAULT],
  running:    [FAULT,     FAULT,    FAULT,     FAULT,     FAULT,          'failing', LATE,       FAULT,      FAULT],
  refreshing: [FAULT,     FAULT,    FAULT,     'running', 'running',      'failing', LATE,       FAULT,      FAULT],
  failing:    [FAULT,     FAULT,    FAULT,     LATE,      LATE,           LATE,      LATE,       'failed',   'blocked'],
  stopping:   [LATE,      LATE,     LATE,      LATE,      LATE,           LATE,      LATE,       'stopped',  'blocked'],
  restarting: [LATE,      LATE,     LATE,      LATE,      LATE,           LATE,      'stopping', 'starting', 'blocked'],
  stopped:    [FAULT,     FAULT,    FAULT,     FAULT,     FAULT,          FAULT,     LATE,       FAULT,      FAULT],
  failed:     [FAULT,     FAULT,    FAULT,     FAULT,     FAULT,          FAULT,     LATE,       FAULT,      FAULT],
  blocked:    [LATE,      LATE,     LATE,      LATE,      LATE,           LATE,      LATE,       FAULT,      FAULT],
  retiring:   [LATE,      LATE,     LATE,      LATE,      LATE,           LATE,      LATE,       'gone',     'orphaned'],
  orphaned:   [LATE,      LATE,     LATE,      LATE,      LATE,           LATE,      LATE,       FAULT,      FAULT],
  gone:       [FAULT,     FAULT,    FAULT,     FAULT,     FAULT,          FAULT,     LATE,       FAULT,      FAULT],
};

/** Where a request leads, or why it is refused. */
export function asked(state: State, request: Request): State | Refused {
  return REQUESTS[state][requests.indexOf(request)] ?? UNKNOWN;
}

/** Where news leads; undefined where it comes too late. Throws for what cannot happen. */
export function happened(state: State, happening: Happening): State | undefined {
  const cell = HAPPENINGS[state][happenings.indexOf(happening)] ?? FAULT;
  if (cell === FAULT) throw new Error(`An MCP server that is ${state} cannot be ${happening}.`);
  return cell === LATE ? undefined : cell;
}

/** States in which the connection is being ended. */
export const ending: ReadonlySet<State> = new Set(['failing', 'stopping', 'restarting', 'retiring']);

/** States in which certainly nothing is alive. */
export const resting: ReadonlySet<State> = new Set(['unstarted', 'stopped', 'failed', 'gone']);

/** What the outside is told. */
export const statusOf: Readonly<Record<State, Status>> = {
  unstarted: 'stopped',
  starting: 'starting',
  running: 'running',
  refreshing: 'refreshing',
  failing: 'stopping',
  stopping: 'stopping',
  restarting: 'stopping',
  stopped: 'stopped',
  failed: 'error',
  blocked: 'error',
  retiring: 'stopping',
  orphaned: 'error',
  gone: 'stopped',
};
