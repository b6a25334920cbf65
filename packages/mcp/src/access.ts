/** Who is calling, as the app's `authenticate` resolved it: plain data, no token, no I/O behind it. */
export interface Caller<Scope extends string = string, Grant extends string = string> {
  /** Kind of credential, for audit rows: `anonymous`, `oauth`, `service`, `principal`, … */
  readonly kind: string;
  /** Name that stands in audit rows and receipts. */
  readonly name: string;
  /** Person behind the credential, when there is one. */
  readonly person?: string;
  /** Canonical URL of the resource that the credential was issued for. */
  readonly audience: string;
  readonly scopes: readonly Scope[];
  /** Grants read for this call. Never cached from an earlier one. */
  readonly grants: readonly Grant[];
  /** Fixed role inside a family, when the credential has one. */
  readonly role?: string;
  /** Id of the one part of the data that the credential is bound to, when it is: everything else looks absent to it. */
  readonly realm?: string;
}

/** One way to open a tool: a scope and, where the tool says so, a grant read on every call. */
export interface Alternative<Scope extends string = string, Grant extends string = string> {
  readonly scope: Scope;
  readonly grant?: Grant;
}

/** Who may see and call a tool. Data, so that it can be listed, explained and evaluated by the same code. */
export type Access<Scope extends string = string, Grant extends string = string> =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'needs'; readonly anyOf: readonly Alternative<Scope, Grant>[] };

/** Everybody whom the endpoint lets in at all. */
export const anyone: Access<never, never> = { kind: 'anyone' };

/** Any one of these scopes (or scope + grant pairs) opens the tool. */
export function needs<Scope extends string, Grant extends string = never>(
  ...alternatives: readonly (Scope | Alternative<Scope, Grant>)[]
): Access<Scope, Grant> {
  return {
    kind: 'needs',
    anyOf: alternatives.map((one) => (typeof one === 'string' ? { scope: one } : one)),
  };
}

/** The one decision, for listing and for calling alike: pure and synchronous. */
export function allows(access: Access, caller: Pick<Caller, 'scopes' | 'grants'>): boolean {
  return access.kind === 'anyone' || access.anyOf.some((one) => holds(one, caller));
}

function holds({ scope, grant }: Alternative, caller: Pick<Caller, 'scopes' | 'grants'>): boolean {
  return caller.scopes.includes(scope) && (grant === undefined || caller.grants.includes(grant));
}

/** The access rule in words, for documents and challenges: `author or reader`, `builder with the builder grant`. */
export function explain(access: Access): string {
  if (access.kind === 'anyone') return 'anyone';
  return access.anyOf
    .map(({ scope, grant }) => (grant ? `${scope} with the ${grant} grant` : scope))
    .join(' or ');
}

/** The scopes that can open a tool, in the order the tool names them. */
export function scopesOf(access: Access): readonly string[] {
  return access.kind === 'anyone' ? [] : [...new Set(access.anyOf.map(({ scope }) => scope))];
}
