import { allows, type Caller } from '../access.ts';
import type { Tool } from '../define.ts';
import { limits } from './limits.ts';
import { surface, type Surface, type SurfaceParts } from './surface.ts';

/**
 * The surface of each caller, out of everything that there is: `allows` decides what is listed, as it decides what
 * may be called. Callers with the same scopes and grants, as far as any tool asks for them, share one surface.
 * A name that stands among `tools` and `unlisted` is listed for those whom the first lets in, and else only callable.
 */
export function surfaces<Deps>(parts: SurfaceParts<Deps>): (caller: Caller) => Surface<Deps> {
  const { tools, unlisted = [] } = parts;
  const keyOf = entitlements([...tools, ...unlisted]);
  const kept = new Map<string, Surface<Deps>>();
  return (caller) => {
    const key = keyOf(caller);
    const known = kept.get(key) ?? surface({ ...parts, ...visible(caller, tools, unlisted) });
    kept.delete(key);
    kept.set(key, known);
    if (kept.size > limits.keptSurfaces) kept.delete(kept.keys().next().value ?? '');
    return known;
  };
}

function visible<Deps>(caller: Caller, tools: readonly Tool<Deps>[], unlisted: readonly Tool<Deps>[]) {
  const listed = tools.filter(({ access }) => allows(access, caller));
  const names = new Set(listed.map(({ name }) => name));
  return {
    tools: listed,
    unlisted: unlisted.filter(({ name, access }) => !names.has(name) && allows(access, caller)),
  };
}

/** Writes down which of the scopes and grants that any tool names a caller has. */
function entitlements(tools: readonly Pick<Tool, 'access'>[]): (caller: Caller) => string {
  const named = tools.flatMap(({ access }) => (access.kind === 'anyone' ? [] : access.anyOf));
  const scopes = [...new Set(named.map(({ scope }) => scope))];
  const grants = [...new Set(named.flatMap(({ grant }) => grant ?? []))];
  return (caller) =>
    JSON.stringify([
      scopes.filter((one) => caller.scopes.includes(one)),
      grants.filter((one) => caller.grants.includes(one)),
    ]);
}
