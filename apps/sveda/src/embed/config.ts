import { Hono } from 'hono';
import type { Capabilities, EmbedConfig } from '@sveda-ai/protocol';
import type { Documents } from '../tools/policy.ts';
import type { Visitor } from './tokens.ts';
import type { VisitorEnv } from './visitor.ts';

/** What the answer is made of. */
export interface ConfigOptions {
  /** The documents in force for a visitor now. */
  readonly documents: (visitor: Visitor) => Documents;
  /** Which builtin tools this server has at all. */
  readonly has: () => { readonly web: boolean; readonly code: boolean };
  readonly models: () => ReadonlySet<string>;
}

/** `GET /sveda/embed/config`: what this token may do. */
export function embedConfigRoute({ documents, has, models }: ConfigOptions) {
  return new Hono<VisitorEnv>().get('/sveda/embed/config', (c) => {
    const visitor = c.get('visitor');
    const answer: EmbedConfig = {
      visitorId: visitor.visitor,
      expiresAt: new Date(visitor.expires * 1000).toISOString(),
      models: [...models()],
      capabilities: capabilitiesOf(documents(visitor), has()),
    };
    c.header('cache-control', 'no-store');
    return c.json(answer);
  });
}

/** An absent section of a document allows nothing, and is told as the clause that says so. */
function capabilitiesOf(documents: Documents, has: { web: boolean; code: boolean }): Capabilities {
  const all = documents.map(({ document }) => document);
  return {
    restricted: all.length > 0,
    web: has.web && all.every(({ web }) => web === true),
    code: has.code && all.every(({ code }) => code === true),
    mcp: all.map(({ mcp }) => mcp ?? { allow: [] }),
    client: all.map(({ client }) => client ?? { allow: [] }),
  };
}
