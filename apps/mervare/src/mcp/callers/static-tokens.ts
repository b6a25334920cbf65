import { timingSafeEqual } from 'node:crypto';
import { hashOf } from '../../people/secret.ts';
import type { Credential } from './caller.ts';
import { scopes as every, type Scope } from '../vocabulary.ts';

/** A token that the operator gave to a program, as it is kept: nothing that could be presented. */
export interface StaticToken {
  readonly kind: Credential;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly hash: Buffer;
}

/** Which variable may name which scopes, and as what its tokens call. */
interface Source {
  readonly variable: string;
  readonly kind: Credential;
  readonly allowed: readonly Scope[];
}

const sources: readonly Source[] = [
  {
    variable: 'SURVEY_AGENT_TOKENS',
    kind: 'survey_token',
    allowed: ['author', 'publisher', 'analyst', 'reader', 'harbour'],
  },
  { variable: 'AGENT_CONTROL_TOKENS', kind: 'control_token', allowed: ['control'] },
  { variable: 'BUILDER_AGENT_TOKENS', kind: 'builder_token', allowed: ['builder'] },
];

const SHORTEST = 32;
const LONGEST = 500;

/**
 * Reads the comma lists of `name:scope+scope:token`, and says every fault of all of them at once, one sentence each, never
 * with a token in it. A variable that is set to nothing counts as not set.
 */
export function readStaticTokens(environment: Readonly<Record<string, string | undefined>>): {
  readonly tokens: readonly StaticToken[];
  readonly faults: readonly string[];
} {
  const tokens: StaticToken[] = [];
  const faults: string[] = [];
  for (const source of sources)
    for (const [at, entry] of (environment[source.variable] || undefined)?.split(',').entries() ?? []) {
      const read = readEntry(entry, source);
      const repeated = tokens.some(({ hash }) => read.token?.hash.equals(hash));
      const found = repeated ? [...read.faults, 'repeats a token that stands before it'] : read.faults;
      faults.push(...found.map((fault) => `${source.variable}: entry ${at + 1} ${fault}.`));
      if (read.token) tokens.push(read.token);
    }
  return { tokens: faults.length === 0 ? tokens : [], faults };
}

/** One entry: its token, unless there is none to speak of, and what is wrong with it. */
function readEntry(
  entry: string,
  { kind, allowed }: Source,
): { readonly token?: StaticToken; readonly faults: readonly string[] } {
  if (entry.trim() === '') return { faults: ['is blank'] };
  const [name = '', scopeList = '', ...rest] = entry.split(':');
  const token = rest.join(':');
  if (token.trim() === '') return { faults: ['has a blank token: it is name:scope+scope:token'] };
  const scopes = scopeList.split('+');
  const faults = [...nameFaults(name), ...scopeFaults(scopes, allowed), ...tokenFaults(token)];
  return { token: { kind, name, scopes: scopes as Scope[], hash: hashOf(token) }, faults };
}

function nameFaults(name: string): string[] {
  if (/^[\w.-]{1,100}$/.test(name)) return [];
  return ['needs a name of 1 to 100 letters, digits, dots, dashes or underscores'];
}

/** What is no scope at all is not repeated: whoever mixes up the order of the parts has a token there. */
function scopeFaults(scopes: readonly string[], allowed: readonly string[]): string[] {
  return scopes
    .filter((scope) => !allowed.includes(scope))
    .map((scope) => (Object.hasOwn(every, scope) ? `the scope "${scope}"` : 'a scope that does not exist'))
    .map((which) => `names ${which}; it may name ${allowed.join(', ')}`);
}

function tokenFaults(token: string): string[] {
  if (token !== token.trim()) return ['has a token with space around it'];
  const faults: string[] = [];
  if (!/^[\w.~+/-]+=*$/.test(token))
    faults.push('has a token with characters that no bearer token may have (RFC 6750)');
  if (token.length < SHORTEST) faults.push(`has a token of fewer than ${SHORTEST} characters`);
  if (token.length > LONGEST) faults.push(`has a token of more than ${LONGEST} characters`);
  return faults;
}

/** The token of this hash. Every one is compared, each in constant time, whichever it is. */
export function findStatic(tokens: readonly StaticToken[], hash: Buffer): StaticToken | undefined {
  let found: StaticToken | undefined;
  for (const token of tokens) if (timingSafeEqual(token.hash, hash)) found = token;
  return found;
}
