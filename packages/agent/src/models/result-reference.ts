/**
 * Arguments with every `{$result: '/json/pointer'}` replaced by that value of the newest result that has it
 * (RFC 6901). Throws an Error when none has: a script that asks for the wrong thing must not go on.
 */
export function fillIn(value: unknown, results: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => fillIn(one, results));
  if (typeof value !== 'object' || value === null) return value;
  const { $result: pointer, ...rest } = value as Record<string, unknown>;
  if (typeof pointer === 'string' && Object.keys(rest).length === 0) return find(pointer, results);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillIn(one, results)]));
}

function find(pointer: string, results: readonly string[]): unknown {
  for (const text of results.toReversed()) {
    const found = at(pointer, firstJson(text));
    if (found !== undefined) return found;
  }
  throw new Error(`no tool result has ${pointer}`);
}

function at(pointer: string, root: unknown): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (value: unknown, key) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
      root,
    );
}

/** The first JSON value of a result: structured content stands on the first line. */
export function firstJson(text: string): unknown {
  for (const json of [text, text.split('\n', 1)[0] ?? '']) {
    try {
      return JSON.parse(json);
    } catch {
      continue;
    }
  }
  return undefined;
}
