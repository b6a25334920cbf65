import { timingSafeEqual } from 'node:crypto';
import { hashOf } from '../../people/secret.ts';
import type { Credential } from './caller.ts';
import type { Scope } from '../vocabulary.ts';

/** A token that the operator gave to a program, as it is kept: nothing that could be presented. */
export interface StaticToken {
  readonly kind: Credential;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly hash: Buffer;
}

/** Which variable may name which scopes, and as what its tokens call. */
const variables = [
  {
    variable: 'SURVEY_AGENT_TOKENS',
    kind: 'survey_token',
    allowed: ['author', 'publisher', 'analyst', 'reader', 'harbour'],
  },
  { variable: 'AGENT_CONTROL_TOKENS', kind: 'control_token', allowed: ['control'] },
  { variable: 'BUILDER_AGENT_TOKENS', kind: 'builder_token', allowed: ['builder'] },
] as const;

const SHORTEST = 32;
const LONGEST = 500;

/**
 * Reads the comma lists of `name:scope+scope:token`, and says every fault of all of them at once, one sentence each, never
 * with a token in it.
 */
export function readStaticTokens(environment: Readonly<Record<string, string | undefined>>): {
  readonly tokens: readonly StaticToken[];
  readonly faults: readonly string[];
} {
  const tokens: StaticToken[] = [];
  const faults: string[] = [];
  for (const { variable, kind, allowed } of variables) {
    const text = environment[variable];
    // A variable that is set to nothing counts as not set, as everywhere.
    if (text === undefined || text === '') continue;
    for (const [at, entry] of text.split(',').entries()) {
      const [name = '', scopeList = '', ...rest] = entry.split(':');
      const token = rest.join(':');
      const scopes = scopeList.split('+');
      const hash = hashOf(token);
      const repeated = tokens.some((known) => known.hash.equals(hash));
      const found = [...shapeFaults(entry, name, token), ...scopeFaults(scopes, allowed)];
      if (repeated) found.push('repeats a token that stands before it');
      faults.push(...found.map((fault) => `${variable}: entry ${at + 1} ${fault}.`));
      tokens.push({ kind, name, scopes: scopes as Scope[], hash });
    }
  }
  return faults.length > 0 ? { tokens: [], faults } : { tokens, faults };
}

function shapeFaults(entry: string, name: string, token: string): string[] {
  if (entry.trim() === '') return ['is blank'];
  const faults: string[] = [];
  if (!/^[\w.-]{1,100}$/.test(name))
    faults.push('needs a name of 1 to 100 letters, digits, dots, dashes or underscores');
  if (token.trim() === '') return [...faults, 'has a blank token: it is name:scope+scope:token'];
  if (token !== token.trim()) faults.push('has a token with space around it');
  else if (!/^[\w.~+/-]+=*$/.test(token))
    faults.push('has a token with characters that no bearer token may have (RFC 6750)');
  if (token.length < SHORTEST) faults.push(`has a token of fewer than ${SHORTEST} characters`);
  if (token.length > LONGEST) faults.push(`has a token of more than ${LONGEST} characters`);
  return faults;
}

function scopeFaults(scopes: readonly string[], allowed: readonly Scope[]): string[] {
  return scopes
    .filter((scope) => !(allowed as readonly string[]).includes(scope))
    .map(
      (scope) => `names the scope ${JSON.stringify(scope.slice(0, 40))}; it may name ${allowed.join(', ')}`,
    );
}

/** The token of this hash. Every one is compared, each in constant time, whichever it is. */
export function findStatic(tokens: readonly StaticToken[], hash: Buffer): StaticToken | undefined {
  let found: StaticToken | undefined;
  for (const token of tokens) if (timingSafeEqual(token.hash, hash)) found = token;
  return found;
}
