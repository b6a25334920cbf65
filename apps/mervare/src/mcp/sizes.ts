import { readFileSync } from 'node:fs';
import type { Tool } from '@portolan/mcp/tool';
import { toolsFor, scopesOffered } from './registry.ts';
import type { Server } from './servers.ts';
import { scopes, type Deps, type Grant, type Scope } from './vocabulary.ts';

/** What a tool costs those who load it. Tokens are those of the o200k_base encoding. */
export interface ToolSize {
  /** Bytes of the whole tool as it is listed. */
  readonly bytes: number;
  readonly tokens: number;
  /** Tokens of what a model is shown at least: name, description and input. */
  readonly callTokens: number;
}

/** Sizes by tool name. */
export type Sizes = Readonly<Record<string, ToolSize>>;

/** The most that may be spent: more tokens crowd out the question that a model was asked. */
export const budget = { callTokens: 450, tokens: 900, listTokens: 40_000 } as const;

/** Measures tools with the tokenizer that is given. */
export function measure(tools: readonly Tool<Deps>[], countTokens: (text: string) => number): Sizes {
  return Object.fromEntries(
    tools.map(({ name, descriptor }) => {
      const whole = JSON.stringify(descriptor);
      const { description, inputSchema } = descriptor;
      const callTokens = countTokens(JSON.stringify({ name, description, inputSchema }));
      return [name, { bytes: Buffer.byteLength(whole), tokens: countTokens(whole), callTokens }];
    }),
  );
}

/** The sizes as `mervare docs` measured them last: a running site loads no tokenizer. */
export function keptSizes(): Sizes {
  return JSON.parse(readFileSync(new URL('../../__surface__/sizes.json', import.meta.url), 'utf8')) as Sizes;
}

/** What one scope opens at one server: the number of tools and the size of their list. */
export interface ListSize {
  /** Undefined where no credential is taken. */
  readonly scope: Scope | undefined;
  readonly opens: string;
  readonly tools: number;
  readonly bytes: number;
  readonly tokens: number;
}

/** Of somebody whom nothing but the scope holds back. */
const everyGrant: readonly Grant[] = ['builder', 'funding_super_admin'];

/** The lists of a server by scope, in the published order. The tokens of a list are the sum over its tools. */
export function listSizes(server: Server, sizes: Sizes): ListSize[] {
  const offered = server.admits === 'anyone' ? [undefined] : scopesOffered(server);
  return offered.map((scope) => {
    const tools = toolsFor(server, { scopes: scope ? [scope] : [], grants: everyGrant });
    const opens = scope ? scopes[scope] : 'Whatever anybody may read';
    const bytes = Buffer.byteLength(JSON.stringify({ tools: tools.map(({ descriptor }) => descriptor) }));
    const tokens = tools.reduce((sum, { name }) => sum + (sizes[name]?.tokens ?? 0), 0);
    return { scope, opens, tools: tools.length, bytes, tokens };
  });
}
