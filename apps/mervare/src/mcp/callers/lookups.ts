import { sql, type RawBuilder } from 'kysely';
import type { Store } from '@portolan/store';
import { fundingCredential, type FundingCredential } from '../../funding/credentials.ts';
import { personColumns, type Person } from '../../people/person.ts';
import type { SiteTables } from '../../tables.ts';
import type { Scope } from '../vocabulary.ts';
import { together } from './together.ts';

/** A person’s credential, with the person’s rights of this moment. */
export interface Personal extends Person {
  readonly audience: string;
  readonly carried: Scope[];
}

/** What is asked on every call: each is one question to the database, which answers it by an index. */
export interface Lookups {
  /** Whether the name of a program has its access. */
  readonly hasAccess: (name: string) => Promise<boolean>;
  /** The bearer of a visitor’s chat with this hash, while it lasts. */
  readonly visitor: (hash: Buffer, now: Date) => Promise<Personal | undefined>;
  /** The access token with this hash, while it counts. */
  readonly connection: (hash: Buffer, now: Date) => Promise<Personal | undefined>;
  readonly funding: (hash: Buffer) => Promise<FundingCredential | undefined>;
}

/** The questions, prepared: a connection parses and plans each of them once. Those of one moment are asked together. */
export function lookups({ db, prepare }: Pick<Store<SiteTables>, 'db' | 'prepare'>): Lookups {
  const prepared = <Row>(name: string, statement: RawBuilder<Row>) =>
    prepare<Row>(name, statement.compile(db).sql);
  const access = prepared('mervare_access', accessOf);
  return {
    hasAccess: async (name) => (await access([name])).length === 1,
    visitor: byHash({
      one: prepared('mervare_visitor', visitorsWhere(sql`token.token_hash = ${given}`)),
      many: prepared('mervare_visitors', visitorsWhere(sql`token.token_hash = any(${given})`)),
    }),
    connection: byHash({
      one: prepared('mervare_connection', connectionsWhere(sql`token.token_hash = ${given}`)),
      many: prepared('mervare_connections', connectionsWhere(sql`token.token_hash = any(${given})`)),
    }),
    funding: (hash) => fundingCredential(db, hash),
  };
}

type Found = Personal & { readonly hash: Buffer; readonly ends: Date };
type Ask = (values: readonly unknown[]) => Promise<readonly Found[]>;

/** Finds what has a hash and has not ended. PostgreSQL keeps no plan for a list, so that a single question is put as one. */
function byHash({ one, many }: { readonly one: Ask; readonly many: Ask }) {
  const find = together(async (hashes: readonly Buffer[]) => {
    const rows = hashes.length === 1 ? await one(hashes) : await many([hashes]);
    const found = new Map(rows.map((row) => [row.hash.toString('hex'), row]));
    return hashes.map((hash) => found.get(hash.toString('hex')));
  });
  return async (hash: Buffer, now: Date): Promise<Personal | undefined> => {
    const found = await find(hash);
    if (!found || found.ends <= now) return undefined;
    const { hash: _hash, ends: _ends, ...personal } = found;
    return personal;
  };
}

/** Stands where a value will be given, in their order. */
const given = null;

const accessOf = sql`select from service_agent where name = ${given} and withdrawn_at is null`;

type Condition = RawBuilder<unknown>;

const visitorsWhere = (condition: Condition) => sql<Found>`
  select token.token_hash as hash, token.expires_at as ends, token.audience, token.scopes as carried, ${personColumns}
  from visitor_token token join person on person.id = token.person
  where ${condition} and person.disabled_at is null`;

const connectionsWhere = (condition: Condition) => sql<Found>`
  select token.token_hash as hash, token.expires_at as ends, token.audience, token.scopes as carried, ${personColumns}
  from oauth_access_token token join person on person.id = token.person_id
  where ${condition} and token.revoked_at is null and person.disabled_at is null`;
