import { Refusal } from '@portolan/mcp/tool';
import type { Kysely, Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { tell } from './events.ts';

/** Where an agent is with something: a text that it alone sets. */
export interface Checkpoint {
  readonly agent: string;
  readonly name: string;
  readonly value: string;
  readonly version: number;
  readonly updatedAt: Date;
}

/** A checkpoint. Throws a Refusal where the agent has none of this name. */
export async function readCheckpoint(
  db: Kysely<SiteTables>,
  agent: string,
  name: string,
): Promise<Checkpoint> {
  const found = await db
    .selectFrom('agent_checkpoint')
    .select(['agent', 'name', 'value', 'version', 'updated_at as updatedAt'])
    .where('agent', '=', agent)
    .where('name', '=', name)
    .executeTakeFirst();
  if (found) return found;
  throw new Refusal('not_found', 'This agent has no checkpoint of this name.', { version: 0 });
}

/** What a checkpoint shall be, and what it was: version 0 stands for none. */
export interface CheckpointSet {
  readonly name: string;
  readonly value: string;
  readonly expectedVersion: number;
}

/** Compares and sets: of two who have read the same, one succeeds. Throws a Refusal to the other, with the current version. */
export async function setCheckpoint(
  tx: Transaction<SiteTables>,
  agent: string,
  { name, value, expectedVersion }: CheckpointSet,
  now: number,
): Promise<Checkpoint> {
  const next = { value, version: expectedVersion + 1, updated_at: new Date(now) };
  const written =
    expectedVersion === 0
      ? await tx
          .insertInto('agent_checkpoint')
          .values({ agent, name, ...next })
          .onConflict((conflict) => conflict.doNothing())
          .returning('version')
          .executeTakeFirst()
      : await tx
          .updateTable('agent_checkpoint')
          .set(next)
          .where('agent', '=', agent)
          .where('name', '=', name)
          .where('version', '=', expectedVersion)
          .returning('version')
          .executeTakeFirst();
  if (!written) throw await stale(tx, agent, name);
  await tell(tx, agent, { kind: 'checkpoint', subject: name, what: 'set' }, now);
  return { agent, name, value, version: next.version, updatedAt: next.updated_at };
}

async function stale(tx: Transaction<SiteTables>, agent: string, name: string): Promise<Refusal> {
  const { version } = (await tx
    .selectFrom('agent_checkpoint')
    .select('version')
    .where('agent', '=', agent)
    .where('name', '=', name)
    .executeTakeFirst()) ?? { version: 0 };
  return new Refusal('conflict', `It is not as expected: its version is ${version} now.`, { version });
}
