/** Chooses, for one visitor, which of the host's tools are listed. Whatever else it answers is not listed. */
export type Resolver<Visitor, Tool> = (visitor: Visitor, tools: readonly Tool[]) => readonly Tool[];

/**
 * The host's own check of what a visitor's agent is offered, before Sveda's policy. The list that comes out holds tools of the list
 * that went in, unchanged and in their order: a resolver can leave tools out and add none, so it narrows what the token's policy
 * allows and never widens it. An error of the resolver is the caller's: nothing is listed then.
 *
 *     const listed = resolveToolsUsing((visitor: Visitor, tools: readonly Tool[]) => tools.filter(…));
 *     server.list = (visitor) => listed(visitor, everyTool);
 */
export function resolveToolsUsing<Visitor, Tool extends { readonly name: string }>(
  resolver: Resolver<Visitor, Tool>,
): (visitor: Visitor, tools: readonly Tool[]) => readonly Tool[] {
  return (visitor, tools) => {
    const chosen = new Set(resolver(visitor, Object.freeze([...tools])));
    return tools.filter((tool) => chosen.has(tool));
  };
}
