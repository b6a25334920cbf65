import { Hono, type Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { byAddress, HttpProblem, throttle, type EdgeEnv, type ThrottleStore } from '@portolan/http';
import { HEADERS } from '@sveda-ai/protocol';
import { sql, type Kysely } from 'kysely';
import { z } from 'zod';
import type { Live } from '../config/live.ts';
import { sameSecret } from '../embed/door.ts';
import type { Tables } from '../tables.ts';
import { isUuid } from '../turn/admission.ts';

export interface AdminOptions {
  readonly db: Kysely<Tables>;
  /** Without it there are no admin routes. */
  readonly adminKey: string | undefined;
  readonly live: Live;
  /** Where several nodes count together. */
  readonly throttles: ThrottleStore | undefined;
  readonly now: () => Date;
}

/** Wrong keys that one address may try in a minute. */
const GUESSES = 20;

/** What the operator asks of a running server, with the admin key: what turns cost, why a tool was not there, a reload. */
export function adminRoutes({ db, adminKey, live, throttles, now }: AdminOptions) {
  const holdsKey = (c: Context<EdgeEnv>): boolean =>
    adminKey !== undefined && sameSecret(c.req.header(HEADERS.adminKey) ?? '', adminKey);
  const guesses = throttle({
    name: 'admin',
    points: GUESSES,
    perSeconds: 60,
    key: (c) => (holdsKey(c) ? undefined : byAddress(c)),
    ...(throttles && { store: throttles }),
  });
  return new Hono<EdgeEnv>()
    .use('/sveda/admin/*', onlyWhere(adminKey !== undefined), guesses, adminOnly(holdsKey))
    .get('/sveda/admin/usage', async (c) => {
      const { from, to } = periodOf(c.req.query(), now());
      return c.json({ from, to, days: await usage(db, from, to) });
    })
    .get('/sveda/admin/turns/:turnId/tools', async (c) => {
      const id = c.req.param('turnId');
      const turn = isUuid(id)
        ? await db.selectFrom('turn').select(['id', 'tools']).where('id', '=', id).executeTakeFirst()
        : undefined;
      if (!turn) throw new HttpProblem(404, 'not_found', 'There is no such turn.');
      return c.json({ turnId: turn.id, tools: turn.tools ?? null });
    })
    .post('/sveda/admin/reload', (c) => {
      const result = live.reload();
      if (!result.reloaded) throw new HttpProblem(422, 'invalid_request', result.fault);
      return c.json(result);
    });
}

function onlyWhere(there: boolean) {
  return createMiddleware<EdgeEnv>(async (_, next) => {
    if (!there) throw new HttpProblem(404, 'not_found', 'There is nothing at this address.');
    await next();
  });
}

function adminOnly(holdsKey: (c: Context<EdgeEnv>) => boolean) {
  return createMiddleware<EdgeEnv>(async (c, next) => {
    if (!holdsKey(c))
      throw new HttpProblem(
        401,
        'unauthorized',
        `The ${HEADERS.adminKey} header does not hold the admin key.`,
      );
    c.header('cache-control', 'no-store');
    await next();
  });
}

/** Days that one question may span. */
const MOST_DAYS = 92;

const Period = z
  .object({ from: z.iso.date().optional(), to: z.iso.date() })
  .transform(({ from, to }) => ({ from: from ?? before(to, 30), to }))
  .refine(
    ({ from, to }) => from <= to && before(to, MOST_DAYS) <= from,
    `Ask for at most ${MOST_DAYS} days.`,
  );

/** Up to today and a month long, where the question does not say. */
function periodOf(query: Record<string, string>, now: Date): { from: string; to: string } {
  const read = Period.safeParse({ to: dayOf(now), ...query });
  if (read.success) return read.data;
  throw new HttpProblem(422, 'invalid_request', 'from and to are days such as 2026-11-30, at most 92 apart.');
}

/** By day (UTC) and policy: turns' segments and tokens. */
async function usage(db: Kysely<Tables>, from: string, to: string) {
  const { rows } = await sql<{ day: string; policy: string | null }>`
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, policy, count(*)::int as segments,
      sum(input_tokens)::float8 as "inputTokens", sum(output_tokens)::float8 as "outputTokens"
    from usage where at >= ${`${from}T00:00:00Z`}::timestamptz and at < ${`${to}T00:00:00Z`}::timestamptz + interval '1 day'
    group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

function before(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) - days * 86_400_000));
}
