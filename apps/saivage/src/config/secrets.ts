import { createHash, timingSafeEqual } from 'node:crypto';
import type { Environment } from '@portolan/cli';
import { Misconfigured } from '@portolan/mcp/tool';
import { secretVariables } from './variables.ts';

/** A bearer token, kept as a hash only. */
export interface Secret {
  /** True for the very token. Takes the same time for every wrong one. */
  matches(presented: string): boolean;
}

/** Saivage's own secrets. Each one that is absent closes what it would open. */
export interface Secrets {
  /** Opens the operator API. */
  readonly api: Secret | undefined;
  /** Opens the external Analyst listener. */
  readonly analyst: Secret | undefined;
}

/** Takes the secrets out of the environment, so that no child process inherits them. Throws `Misconfigured`. */
export function takeSecrets(environment: Record<string, string | undefined>): Secrets {
  const [apiText, analystText] = secretVariables.map((name) => readToken(name, environment));
  for (const name of secretVariables) delete environment[name];
  if (analystText !== undefined && analystText === apiText) {
    throw new Misconfigured('SAIVAGE_ANALYST_MCP_TOKEN must differ from SAIVAGE_API_TOKEN.');
  }
  return {
    api: apiText === undefined ? undefined : secret(apiText),
    analyst: analystText === undefined ? undefined : secret(analystText),
  };
}

/** A token goes into an HTTP header as it is: visible ASCII, nothing around it and nothing between. */
function readToken(name: string, environment: Environment): string | undefined {
  const value = environment[name];
  if (value === undefined || /^[\x21-\x7e]+$/.test(value)) return value;
  if (value.trim() === '') throw new Misconfigured(`${name} is set but blank.`);
  if (value.trim() !== value) throw new Misconfigured(`${name} has white space around it.`);
  throw new Misconfigured(`${name} may hold only visible ASCII characters without spaces.`);
}

/** Keeps a token as a hash. */
export function secret(text: string): Secret {
  const expected = digest(text);
  return { matches: (presented) => timingSafeEqual(digest(presented), expected) };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
