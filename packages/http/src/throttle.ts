import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { subscriber } from './client.ts';
import type { EdgeEnv, EdgeVariables } from './edge.ts';
import { HttpProblem } from './problem.ts';

export interface TallyOptions {
  /** Keeps these counts apart from others. */
  readonly name: string;
  /** How long a count lasts, from the first that was counted. */
  readonly perSeconds: number;
  /** Where several nodes count together; each for itself unless given. */
  readonly store?: ThrottleStore;
}

export interface ThrottleOptions<E extends EdgeEnv = EdgeEnv> extends TallyOptions {
  /** Requests that one key may make in that time. */
  readonly points: number;
  /** Whose budget a request uses; undefined lets the request pass uncounted. */
  readonly key: (c: Context<E>) => string | undefined;
}

/** A PostgreSQL table that the app made with `throttleTable`. While it cannot be reached, each node counts for itself. */
export interface ThrottleStore {
  /** Runs one statement in the app's database; `$1` stands for the first value. */
  readonly query: (statement: {
    readonly text: string;
    readonly values: readonly unknown[];
  }) => Promise<{ readonly rows: readonly unknown[] }>;
  readonly schema: string;
}

/** The SQL that makes the table, for the app's own migrations. Rows hold hashes, and go an hour after they expire. */
export const throttleTable = (schema: string) =>
  `create table "${schema}".throttle (key varchar(255) primary key, points integer not null default 0, expire bigint)`;

/** Refuses a request above its key's budget with 429, `too_many` and Retry-After. */
export function throttle<E extends EdgeEnv = EdgeEnv>(options: ThrottleOptions<E>): MiddlewareHandler<E> {
  const limiter = limiterOf(options);
  const keep = keeper(options);
  return async (c, next) => {
    const key = options.key(c);
    if (key !== undefined) await limiter.consume(keep(key)).catch(refuse);
    await next();
  };
}

/** Counts by key, for those who decide themselves what a count means, and may learn later that something did not count. */
export interface Tally {
  /** Counts one more: how many there are now, and the milliseconds until they are forgotten. */
  readonly add: (key: string) => Promise<{ readonly count: number; readonly restMs: number }>;
  /** Counts one less. */
  readonly takeBack: (key: string) => Promise<void>;
}

/** Counts that refuse nothing. */
export function tally(options: TallyOptions): Tally {
  const limiter = limiterOf({ ...options, points: 1 });
  const keep = keeper(options);
  return {
    async add(key) {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(keep(key));
      return { count: consumedPoints, restMs: msBeforeNext };
    },
    async takeBack(key) {
      await limiter.reward(keep(key));
    },
  };
}

/** The refusal of a request that may come again after this time. */
export function tooMany(restMs: number): HttpProblem {
  const seconds = Math.max(1, Math.ceil(restMs / 1000));
  const headers = { 'retry-after': String(seconds) };
  return new HttpProblem(429, 'too_many', `Too many requests; try again in ${seconds} s.`, headers);
}

/** The key of a request by where it comes from. */
export function byAddress(c: { readonly var: Pick<EdgeVariables, 'client'> }): string {
  return subscriber(c.var.client.address);
}

function limiterOf({
  name,
  points,
  perSeconds,
  store,
}: TallyOptions & { readonly points: number }): RateLimiterAbstract {
  const memory = new RateLimiterMemory({ keyPrefix: name, points, duration: perSeconds });
  if (store === undefined) return memory;
  return new RateLimiterPostgres({
    keyPrefix: name,
    points,
    duration: perSeconds,
    storeClient: store,
    storeType: 'pool',
    schemaName: store.schema,
    tableName: 'throttle',
    tableCreated: true,
    insuranceLimiter: memory,
  });
}

function keeper({ store }: TallyOptions): (key: string) => string {
  return store === undefined ? slot() : hash;
}

/** Names and addresses stay out of the store. */
const hash = (key: string) => createHash('sha256').update(key).digest('base64url');

/**
 * One of 131,072 slots in memory, 390 bytes each: a flood of new keys cannot fill more. The salt, new in every process, keeps
 * an attacker from aiming at the slot of another.
 */
function slot(): (key: string) => string {
  const salt = randomBytes(16);
  return (key) => String(createHmac('sha256', salt).update(key).digest().readUInt32LE() >>> 15);
}

function refuse(reason: unknown): never {
  if (!(reason instanceof RateLimiterRes)) throw reason;
  throw tooMany(reason.msBeforeNext);
}
