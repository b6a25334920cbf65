import { Refusal } from '@portolan/mcp/tool';
import { sql, type Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';

/** Throws a Refusal for an actor whom nobody could be: a handoff to a wrong name would wait for ever. */
export async function requireAddressee(tx: Transaction<SiteTables>, actor: string): Promise<void> {
  const [, kind = '', name = ''] = /^(\w+):(.+)$/.exec(actor) ?? [];
  const known =
    kind === 'oauth'
      ? sql`select from person where email = ${name} and disabled_at is null`
      : sql`select from service_agent where name = ${name} and ${kind} in ('control_token', 'builder_token')`;
  const { rows } = await known.execute(tx);
  if (rows.length === 0)
    throw new Refusal(
      'not_found',
      'There is no such addressee. It is kind:name: control_token or builder_token with the name of an agent, or oauth with the e-mail of a person.',
    );
}
