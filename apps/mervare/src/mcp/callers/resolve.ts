import { SECRET_PREFIX } from '../../funding/credentials.ts';
import { hashOf } from '../../people/secret.ts';
import { VISITOR_PREFIX } from '../../people/visitor-token.ts';
import type { Scope } from '../vocabulary.ts';
import { personalCaller, type Credential, type SiteCaller } from './caller.ts';
import type { Lookups, Personal } from './lookups.ts';
import { findStatic, type StaticToken } from './static-tokens.ts';

/** Where credentials are looked up. */
export interface Credentials {
  readonly lookups: Lookups;
  readonly tokens: readonly StaticToken[];
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Where a token is presented: the canonical URL of the endpoint, what it takes, and the scopes that it offers. */
export interface Door {
  readonly audience: string;
  readonly takes: readonly Credential[];
  readonly offered: readonly Scope[];
}

/**
 * The caller behind a token at a door, with the rights of this moment; undefined where there is none. Each kind of token is
 * told by itself, so that one question to the database says everything.
 */
export async function resolveCaller(
  token: string,
  door: Door,
  credentials: Credentials,
): Promise<SiteCaller | undefined> {
  const caller = await callerOf(token, door, credentials);
  return caller && caller.audience === door.audience && door.takes.includes(caller.kind) ? caller : undefined;
}

async function callerOf(
  token: string,
  door: Door,
  { lookups, tokens, now }: Credentials,
): Promise<SiteCaller | undefined> {
  const hash = hashOf(token);
  const known = findStatic(tokens, hash);
  if (known) return program(known, await lookups.hasAccess(known.name), door);
  if (token.startsWith(SECRET_PREFIX)) return member(await lookups.funding(hash), door);
  return token.startsWith(VISITOR_PREFIX)
    ? personal('visitor', await lookups.visitor(hash, new Date(now())), door)
    : personal('oauth', await lookups.connection(hash, new Date(now())), door);
}

/** A program of the operator's. While its name is withdrawn it is still known, and may do nothing. */
function program({ kind, name, scopes }: StaticToken, hasAccess: boolean, door: Door): SiteCaller {
  const { audience, offered } = door;
  const held = hasAccess ? scopes : [];
  const grants = held.includes('builder') ? (['builder'] as const) : [];
  return { kind, name, audience, carried: scopes, held, offered, scopes: held, grants };
}

/** A collaborator, an agent or a service of one funding workspace. */
function member(
  found: Awaited<ReturnType<Lookups['funding']>>,
  { audience, offered }: Door,
): SiteCaller | undefined {
  if (!found) return undefined;
  const { name, role, workspace } = found;
  const kind = `funding_${role}` as const;
  const scopes = ['funding'] as const;
  const held = { carried: scopes, held: scopes, scopes, grants: [kind] };
  return { kind, name, audience, offered, role, realm: workspace, ...held };
}

function personal(kind: Credential, found: Personal | undefined, { offered }: Door): SiteCaller | undefined {
  if (!found) return undefined;
  const { audience, carried, ...person } = found;
  return personalCaller({ kind, audience, carried, offered }, person);
}
