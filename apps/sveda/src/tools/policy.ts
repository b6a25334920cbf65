import type { Call } from '@portolan/agent';
import type { PolicyDocument } from '@sveda-ai/protocol';
import type { Visitor } from '../embed/tokens.ts';
import type { FoundTool } from './found.ts';

/** A document in force for a visitor, and what it is called. */
export interface NamedDocument {
  /** `policy <name>` or `grants`. */
  readonly called: string;
  readonly document: PolicyDocument;
}

/** The named policy and the token's grants. Each is asked by itself and all must allow; none restricts nothing. */
export type Documents = readonly NamedDocument[];

/** The documents of a visitor now. A policy that is no longer there allows nothing; its requests are refused before. */
export function documentsOf(
  { policy, grants }: Pick<Visitor, 'policy' | 'grants'>,
  policies: Readonly<Record<string, PolicyDocument>>,
): Documents {
  const named = policy !== undefined && Object.hasOwn(policies, policy) ? policies[policy] : undefined;
  return [
    ...(policy === undefined ? [] : [{ called: `policy ${policy}`, document: named ?? {} }]),
    ...(grants ? [{ called: 'grants', document: grants }] : []),
  ];
}

/** A tool as a policy sees it: under the name that the catalogue gave it. */
export type Governed = Pick<FoundTool, 'origin' | 'server' | 'section' | 'domain' | 'mode'> & {
  /** Its name in the catalogue. */
  readonly name: string;
  /** Its name at its source. */
  readonly ownName: string;
};

/** The first rule that forbids a tool, `grants: mcp.maxMode`, or nothing. */
export function ruleAgainst(documents: Documents, tool: Governed): string | undefined {
  for (const { called, document } of documents) {
    const rule = ruleIn(document, tool);
    if (rule !== undefined) return `${called}: ${rule}`;
  }
  return undefined;
}

/** True while the policy allows the page to run a call of its own. */
export function allowsPageCall(
  documents: Documents,
  { name, shownAs = name }: Pick<Call, 'name' | 'shownAs'>,
): boolean {
  return ruleAgainst(documents, { origin: 'frontend', name: shownAs, ownName: shownAs }) === undefined;
}

/** True when a document asks for the visitor's confirmation, whatever the tool says of itself. */
export function asksFor(documents: Documents, tool: Governed): boolean {
  return (
    isOfMcp(tool) && documents.some(({ document }) => matches(document.mcp?.confirm ?? [], everyName(tool)))
  );
}

function ruleIn({ web, code, mcp, client }: PolicyDocument, tool: Governed): string | undefined {
  switch (tool.origin) {
    case 'builtin':
      if (tool.section === undefined) return undefined;
      return (tool.section === 'web' ? web : code) === true ? undefined : tool.section;
    case 'frontend':
      return client && matches(client.allow, [tool.name]) ? undefined : 'client.allow';
    default:
      return mcp ? ruleOfMcp(mcp, tool) : 'mcp';
  }
}

const modes = ['read', 'write', 'delete'];

function ruleOfMcp(mcp: NonNullable<PolicyDocument['mcp']>, tool: Governed): string | undefined {
  if (!matches(mcp.allow, givenNames(tool))) return 'mcp.allow';
  if (matches(mcp.deny ?? [], everyName(tool))) return 'mcp.deny';
  if (mcp.domains && mcp.domains.length > 0 && !mcp.domains.includes(tool.domain ?? 'other'))
    return 'mcp.domains';
  // A mode that nobody knows ranks as the strongest.
  const mode = tool.mode === undefined ? 0 : modes.indexOf(tool.mode);
  if (mcp.maxMode && (mode === -1 ? modes.length : mode) > modes.indexOf(mcp.maxMode)) return 'mcp.maxMode';
  return undefined;
}

function isOfMcp({ origin }: Governed): boolean {
  return origin === 'host' || origin === 'runtime';
}

/** The names by which a tool may be allowed. A tool of a runtime server also answers to `server__tool`, renamed or not. */
function givenNames({ name, server, ownName }: Governed): string[] {
  return server === undefined ? [name] : [name, `${server}__${ownName}`];
}

/** The names by which it may be denied: a rename takes no tool out of a rule. */
function everyName(tool: Governed): string[] {
  return [...givenNames(tool), tool.ownName];
}

/** `*`, a name, `prefix*` or `*suffix`; letter case counts. */
function matches(patterns: readonly string[], names: readonly string[]): boolean {
  return patterns.some((pattern) => names.some((name) => matchesOne(pattern, name)));
}

function matchesOne(pattern: string, name: string): boolean {
  if (pattern.startsWith('*')) return name.endsWith(pattern.slice(1));
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
