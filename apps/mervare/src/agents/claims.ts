import { Refusal } from '@portolan/mcp/tool';
import { sql, type Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { requireVersion } from '../versions/version.ts';
import { tell } from './events.ts';
import { ended, finish, handoff, noHandoff, type Handoff } from './handoffs.ts';

// The claims of the store take whatever is due in a queue; here the addressee may also name one, so a claim is a statement of its own.

/**
 * Gives the addressee a handoff until the lease ends: the one that is named, or else the oldest that is open. One whose lease has ended is
 * open again. Undefined when there is none. Throws a Refusal for one that is not the addressee's, or not to be had.
 */
export async function claimHandoff(
  tx: Transaction<SiteTables>,
  addressee: string,
  { id, leaseMs }: { readonly id: string | undefined; readonly leaseMs: number },
  now: number,
): Promise<Handoff | undefined> {
  const before = await (id === undefined ? oldestOpen(tx, addressee, now) : named(tx, addressee, id, now));
  if (!before) return undefined;
  const claimed = {
    state: 'claimed' as const,
    leaseUntil: new Date(now + leaseMs),
    version: before.version + 1,
  };
  await tx
    .updateTable('agent_handoff')
    .set({ state: claimed.state, lease_until: claimed.leaseUntil, version: claimed.version })
    .where('id', '=', before.id)
    .execute();
  await tell(tx, addressee, { kind: 'handoff', subject: before.id, what: 'claimed' }, now);
  return { ...before, ...claimed };
}

/** One that another claim is taking at this moment is passed over. */
async function oldestOpen(
  tx: Transaction<SiteTables>,
  addressee: string,
  now: number,
): Promise<Handoff | undefined> {
  const { rows } = await sql<Handoff>`select ${handoff} from agent_handoff h
    where h.addressee = ${addressee}
      and (h.state = 'open' or (h.state = 'claimed' and h.lease_until <= ${new Date(now)}))
    order by h.at, h.id limit 1 for update skip locked`.execute(tx);
  return rows[0];
}

async function named(
  tx: Transaction<SiteTables>,
  addressee: string,
  id: string,
  now: number,
): Promise<Handoff> {
  const before = await ownHandoff(tx, addressee, id);
  if (before.state === 'done' || before.state === 'blocked') throw ended(before);
  if (before.leaseUntil !== null && before.leaseUntil.getTime() > now)
    throw new Refusal('conflict', `It is claimed until ${before.leaseUntil.toISOString()}.`, {
      leaseUntil: before.leaseUntil.toISOString(),
    });
  return before;
}

/** What became of a claimed handoff. */
export interface Outcome {
  readonly id: string;
  /** As the claim answered it. */
  readonly expectedVersion: number;
  readonly outcome: 'done' | 'blocked';
  readonly result: string;
}

/** Ends a handoff that the addressee has claimed. Throws a Refusal when the claim was lost to a later one. */
export async function completeHandoff(
  tx: Transaction<SiteTables>,
  addressee: string,
  { id, expectedVersion, outcome, result }: Outcome,
  now: number,
): Promise<Handoff> {
  const before = await ownHandoff(tx, addressee, id);
  if (before.state === 'done' || before.state === 'blocked') throw ended(before);
  if (before.state === 'open') throw new Refusal('conflict', 'It is not claimed: claim it first.');
  requireVersion(before, expectedVersion);
  return finish(tx, addressee, before, { state: outcome, result }, now);
}

/** Whatever is addressed to somebody else looks absent. */
async function ownHandoff(tx: Transaction<SiteTables>, addressee: string, id: string): Promise<Handoff> {
  const { rows } = await sql<Handoff>`select ${handoff} from agent_handoff h
    where h.id = ${id} and h.addressee = ${addressee} for update`.execute(tx);
  const [own] = rows;
  if (!own) throw noHandoff();
  return own;
}
