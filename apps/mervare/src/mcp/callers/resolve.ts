import { sql, type Kysely } from 'kysely';
import { fundingCredential, SECRET_PREFIX } from '../../funding/credentials.ts';
import { personColumns, type Person } from '../../people/person.ts';
import { hashOf } from '../../people/secret.ts';
import { VISITOR_PREFIX } from '../../people/visitor-token.ts';
import type { SiteTables } from '../../tables.ts';
import type { Scope } from '../vocabulary.ts';
import { personalCaller, type Credential, type SiteCaller } from './caller.ts';
import { findStatic, type StaticToken } from './static-tokens.ts';

/** Where credentials are looked up. */
export interface Credentials {
  readonly db: Kysely<SiteTables>;
  readonly tokens: readonly StaticToken[];
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Where a token is presented: the canonical URL of the endpoint, and what it takes. */
export interface Door {
  readonly audience: string;
  readonly takes: readonly Credential[];
  readonly offered: readonly Scope[];
}

/**
 * The caller behind a token at a door, with the rights of this moment; undefined where there is none. Each kind of token is
 * told by itself, so that one question to the database, by an indexed hash, says everything.
 */
export async function resolveCaller(
  token: string,
  door: Door,
  credentials: Credentials,
): Promise<SiteCaller | undefined> {
  const hash = hashOf(token);
  const fixed = findStatic(credentials.tokens, hash);
  const caller = await (fixed
    ? programOf(fixed, door, credentials)
    : token.startsWith(VISITOR_PREFIX)
      ? visitorOf(hash, door, credentials)
      : token.startsWith(SECRET_PREFIX)
        ? fundingOf(hash, door, credentials)
        : connectedOf(hash, door, credentials));
  return caller && caller.audience === door.audience && door.takes.includes(caller.kind) ? caller : undefined;
}

/** A program of the operator's. While its name is withdrawn it is still known, and may do nothing. */
async function programOf(
  { kind, name, scopes }: StaticToken,
  { audience, offered }: Door,
  { db }: Credentials,
): Promise<SiteCaller> {
  const { rows } = await sql`
    select from service_agent where name = ${name} and withdrawn_at is null`.execute(db);
  const held = rows.length === 1 ? scopes : [];
  const grants = held.includes('builder') ? (['builder'] as const) : [];
  return { kind, name, audience, carried: scopes, held, offered, scopes: held, grants };
}

/** A collaborator, an agent or a service of one funding workspace. */
async function fundingOf(
  hash: Buffer,
  { audience, offered }: Door,
  { db }: Credentials,
): Promise<SiteCaller | undefined> {
  const found = await fundingCredential(db, hash);
  if (!found) return undefined;
  const { name, role, workspace } = found;
  const kind = `funding_${role}` as const;
  const scopes = ['funding'] as const;
  const held = { carried: scopes, held: scopes, scopes, grants: [kind] };
  return { kind, name, audience, offered, role, realm: workspace, ...held };
}

type Personal = Person & { readonly audience: string; readonly carried: Scope[] };

/** A person's chat on the pages of the site. */
async function visitorOf(
  hash: Buffer,
  { offered }: Door,
  { db, now }: Credentials,
): Promise<SiteCaller | undefined> {
  const { rows } = await sql<Personal>`
    select token.audience, token.scopes as carried, ${personColumns}
    from visitor_token token join person on person.id = token.person
    where token.token_hash = ${hash} and token.expires_at > ${new Date(now())}
      and person.disabled_at is null`.execute(db);
  return rows[0] && personal('visitor', rows[0], offered);
}

/** A client that a person connected. */
async function connectedOf(
  hash: Buffer,
  { offered }: Door,
  { db, now }: Credentials,
): Promise<SiteCaller | undefined> {
  const { rows } = await sql<Personal>`
    select token.audience, token.scopes as carried, ${personColumns}
    from oauth_access_token token join person on person.id = token.person_id
    where token.token_hash = ${hash} and token.expires_at > ${new Date(now())} and token.revoked_at is null
      and person.disabled_at is null`.execute(db);
  return rows[0] && personal('oauth', rows[0], offered);
}

function personal(
  kind: Credential,
  { audience, carried, ...person }: Personal,
  offered: readonly Scope[],
): SiteCaller {
  return personalCaller({ kind, audience, carried, offered }, person);
}
