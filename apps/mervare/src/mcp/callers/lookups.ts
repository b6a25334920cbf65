import { sql, type RawBuilder } from 'kysely';
import type { Store } from '@portolan/store';
import { fundingCredential, type FundingCredential } from '../../funding/credentials.ts';
import { personColumns, type Person } from '../../people/person.ts';
import type { SiteTables } from '../../tables.ts';
import type { Scope } from '../vocabulary.ts';

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

/** The questions, prepared: a connection parses and plans each of them once. */
export function lookups({ db, prepare }: Pick<Store<SiteTables>, 'db' | 'prepare'>): Lookups {
  const prepared = <Row>(name: string, statement: RawBuilder<Row>) =>
    prepare<Row>(name, statement.compile(db).sql);
  const access = prepared('mervare_access', accessOf);
  const visitor = prepared('mervare_visitor', visitorOf);
  const connection = prepared('mervare_connection', connectionOf);
  return {
    hasAccess: async (name) => (await access([name])).length === 1,
    visitor: async (hash, now) => (await visitor([hash, now]))[0],
    connection: async (hash, now) => (await connection([hash, now]))[0],
    funding: (hash) => fundingCredential(db, hash),
  };
}

/** Stands where a value will be given, in their order. */
const given = null;

const accessOf = sql`select from service_agent where name = ${given} and withdrawn_at is null`;

const visitorOf = sql<Personal>`
  select token.audience, token.scopes as carried, ${personColumns}
  from visitor_token token join person on person.id = token.person
  where token.token_hash = ${given} and token.expires_at > ${given} and person.disabled_at is null`;

const connectionOf = sql<Personal>`
  select token.audience, token.scopes as carried, ${personColumns}
  from oauth_access_token token join person on person.id = token.person_id
  where token.token_hash = ${given} and token.expires_at > ${given} and token.revoked_at is null
    and person.disabled_at is null`;
