import { SECRET_PREFIX } from '../../funding/credentials.ts';
import { hashOf } from '../../people/secret.ts';
import { VISITOR_PREFIX } from '../../people/visitor-token.ts';
import type { Scope } from '../vocabulary.ts';
import type { Credential, SiteCaller } from './caller.ts';
import type { Lookups } from './lookups.ts';
import { admitted, personalCallers, type Arrival } from './personal.ts';
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
 * The callers behind tokens at a door, with the rights of the moment. Each kind of token is told by itself, so that one question
 * to the database says everything. It is on its way when this returns.
 */
export function callersAt(door: Door, { lookups, tokens, now }: Credentials): (token: string) => Arrival {
  const visitor = personalCallers('visitor', lookups.visitor, door, now);
  const connection = personalCallers('oauth', lookups.connection, door, now);

  async function ofProgram(known: StaticToken): Promise<SiteCaller | undefined> {
    return admitted(door, program(known, await lookups.hasAccess(known.name), door));
  }

  async function ofMember(hash: Buffer): Promise<SiteCaller | undefined> {
    return admitted(door, member(await lookups.funding(hash), door));
  }

  return (token) => {
    const hash = hashOf(token);
    const known = findStatic(tokens, hash);
    if (known) return { caller: ofProgram(known) };
    if (token.startsWith(SECRET_PREFIX)) return { caller: ofMember(hash) };
    return token.startsWith(VISITOR_PREFIX) ? visitor(hash) : connection(hash);
  };
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
