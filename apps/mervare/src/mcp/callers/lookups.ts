import { sql, type RawBuilder } from 'kysely';
import type { Store } from '@portolan/store';
import { fundingCredential, type FundingCredential } from '../../funding/credentials.ts';
import { personColumns, type Person } from '../../people/person.ts';
import type { SiteTables } from '../../tables.ts';
import type { Scope } from '../vocabulary.ts';
import { together } from './together.ts';

/** A person’s credential, with the person’s rights of this moment, as JSON: a `Personal`. */
export type PersonalText = string;

/** A person’s credential, with the person’s rights of this moment. */
export interface Personal extends Person {
  /** Hexadecimal, and the first member of the text. */
  readonly hash: string;
  /** When the credential ends, in the way of ISO 8601. */
  readonly ends: string;
  readonly audience: string;
  readonly carried: Scope[];
}

/** What is asked on every call: each is one question to the database, which answers it by an index. */
export interface Lookups {
  /** Whether the name of a program has its access. */
  readonly hasAccess: (name: string) => Promise<boolean>;
  /** The bearer of a visitor’s chat with this hash, ended or not. */
  readonly visitor: (hash: Buffer) => Promise<PersonalText | undefined>;
  /** The access token with this hash that was not revoked, ended or not. */
  readonly connection: (hash: Buffer) => Promise<PersonalText | undefined>;
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
      one: prepared('mervare_visitor', visitorsOf(1)),
      many: prepared('mervare_visitors', visitorsOf(LIST)),
    }),
    connection: byHash({
      one: prepared('mervare_connection', connectionsOf(1)),
      many: prepared('mervare_connections', connectionsOf(LIST)),
    }),
    funding: (hash) => fundingCredential(db, hash),
  };
}

/** How many are asked for at once. For a list of any length PostgreSQL would make a new plan each time, which costs as much as four answers. */
const LIST = 8;

interface Row {
  readonly found: PersonalText;
}
type Ask = (values: readonly unknown[]) => Promise<readonly Row[]>;

function byHash({ one, many }: { readonly one: Ask; readonly many: Ask }) {
  return together(LIST, async (hashes: readonly Buffer[]) => {
    const rows = hashes.length === 1 ? await one(hashes) : await many(filledUp(hashes));
    const found = new Map(rows.map((row) => [row.found.slice(...HASH), row.found]));
    return hashes.map((hash) => found.get(hash.toString('hex')));
  });
}

/** Where the hash stands in the text. */
const HASH = ['{"hash":"'.length, '{"hash":"'.length + 64] as const;

function filledUp(hashes: readonly Buffer[]): readonly Buffer[] {
  return Array.from({ length: LIST }, (_, at) => hashes[at] ?? hashes[0]).flatMap((hash) => hash ?? []);
}

/** Stands where a value will be given, in their order. */
const given = null;

const accessOf = sql`select from service_agent where name = ${given} and withdrawn_at is null`;

const visitorsOf = (number: number) =>
  found(sql`visitor_token token join person on person.id = token.person where ${hashIn(number)}`);

const connectionsOf = (number: number) =>
  found(sql`oauth_access_token token join person on person.id = token.person_id
    where ${hashIn(number)} and token.revoked_at is null`);

function hashIn(number: number): RawBuilder<unknown> {
  return sql`token.token_hash in (${sql.join(Array.from({ length: number }, () => given))})`;
}

/** One column, since each one that is told and read costs more than its value does; a text, since it is mostly the same as the last time. */
function found(tokens: RawBuilder<unknown>): RawBuilder<Row> {
  return sql<Row>`select row_to_json(one)::text as found from (
    select encode(token.token_hash, 'hex') as hash, token.expires_at as ends, token.audience, token.scopes as carried,
      ${personColumns}
    from ${tokens} and person.disabled_at is null) one`;
}
