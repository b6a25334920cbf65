import { readJson, type EdgeEnv } from '@portolan/http';
import { Hono } from 'hono';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Actor } from '../audit/audit.ts';
import { importVisits } from '../logbook/import.ts';
import { Visit } from '../logbook/visit.ts';
import { problemOf } from '../problem.ts';
import type { SiteTables } from '../tables.ts';
import { ownToken } from './own-token.ts';

/** Where observers report to. */
export interface LogbookDoor {
  readonly db: Kysely<SiteTables>;
  /** The one token that opens this door and no other. */
  readonly token: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Whoever has the token, in the audit trail. */
const observer: Actor = { kind: 'logbook_token', name: 'observer' };

const Body = z.strictObject({ entries: z.array(Visit).min(1).max(5000) });

/** `POST /api/logbook`: merges the visits that an observer reports, all or nothing, and answers what changed. */
export function logbookRoutes({ db, token, now }: LogbookDoor): Hono<EdgeEnv> {
  const check = ownToken(token, 'Send the logbook token as a bearer token.');
  return new Hono<EdgeEnv>().post('/api/logbook', async (c) => {
    check(c.req.raw);
    const { entries } = await readJson(c, Body);
    try {
      return c.json(await importVisits(db, entries, { by: observer, now: now() }));
    } catch (error) {
      throw problemOf(error);
    }
  });
}
