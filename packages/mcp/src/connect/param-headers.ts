/** A header that a tool wants for one of its arguments (`x-mcp-header`, MCP 2026-07-28). */
interface Declared {
  readonly path: readonly string[];
  readonly header: string;
}

/** Names that a header may have (RFC 9110, token). */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Headers that mirror the arguments of a call, as its tool declares them: `Mcp-Param-<name>` for each that is given. */
export function paramHeaders(
  inputSchema: unknown,
  args: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, header } of declared(inputSchema, [])) {
    const value = path.reduce<unknown>((node, name) => (isObject(node) ? node[name] : undefined), args);
    if (['string', 'boolean', 'number'].includes(typeof value))
      headers[`Mcp-Param-${header}`] = encode(String(value));
  }
  return headers;
}

/** Declarations count only on properties, at any depth of them. */
function declared(schema: unknown, path: readonly string[]): Declared[] {
  if (!isObject(schema)) return [];
  const header = schema['x-mcp-header'];
  const own = path.length > 0 && typeof header === 'string' && TOKEN.test(header) ? [{ path, header }] : [];
  const inner = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return [...own, ...inner.flatMap(([name, property]) => declared(property, [...path, name]))];
}

/** A value as a header can carry it: plain where it is safe ASCII, else base64 between marks. */
function encode(value: string): string {
  const plain = /^[\t\x20-\x7e]+$/.test(value) && value.trim() === value && !/^=\?base64\?.*\?=$/.test(value);
  return plain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
