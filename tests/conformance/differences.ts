type Leaves = ReadonlyMap<string, unknown>;

/** The paths (`result.tools.0.name`) at which two answers differ. */
export function differences(one: unknown, other: unknown): string[] {
  const [left, right] = [leavesOf(one), leavesOf(other)];
  return [...new Set([...left.keys(), ...right.keys()])].filter((path) => left.get(path) !== right.get(path));
}

/** True when a pattern speaks of this path, or of something that it lies in or that lies in it. */
export function covers(pattern: unknown, path: string): boolean {
  return [...leavesOf(pattern).keys()].some(
    (leaf) => leaf === path || path.startsWith(`${leaf}.`) || leaf.startsWith(`${path}.`),
  );
}

/** Primitives, empty objects and matchers by their path. */
function leavesOf(value: unknown, path = ''): Leaves {
  const isBranch = typeof value === 'object' && value !== null && !('asymmetricMatch' in value);
  const children = isBranch ? Object.entries(value) : [];
  if (children.length === 0) return new Map([[path, isBranch ? '{}' : value]]);
  return new Map(
    children.flatMap(([key, child]) => [...leavesOf(child, path === '' ? key : `${path}.${key}`)]),
  );
}
