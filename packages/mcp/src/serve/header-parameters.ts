import type { Tool } from '../define.ts';
import { Misconfigured } from '../errors.ts';
import { decodedHeader } from './encoded-header.ts';
import { codes, fault, type Fault } from './fault.ts';
import { isObject } from './object.ts';

/** An argument that a modern client repeats in the header `Mcp-Param-<name>` (2026-07-28, `x-mcp-header`). */
export interface HeaderParameter {
  readonly header: string;
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

const mark = 'x-mcp-header';
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const decimal = /^-?\d+(\.\d+)?$/;

/**
 * The header parameters that a tool's input schema marks. Throws Misconfigured where the specification calls the
 * tool invalid: a mark that is no header name, stands twice, or is not on a primitive reached through `properties`.
 */
export function headerParameters({ name, descriptor }: Pick<Tool, 'name' | 'descriptor'>): HeaderParameter[] {
  const schema = descriptor.inputSchema;
  const found = marked(schema, []);
  const distinct = new Set(found.map(({ header }) => header.toLowerCase()));
  const wrong = found.find(
    ({ header, type }) => !token.test(header) || !['string', 'integer', 'boolean'].includes(type),
  );
  if (wrong || distinct.size !== found.length || countMarks(schema) !== found.length) {
    throw new Misconfigured(`The tool ${name} marks ${mark} where MCP 2026-07-28 does not allow it.`);
  }
  return found;
}

/** The fault of a request whose headers do not repeat the marked arguments, or undefined when all agree. */
export function headerParameterFault(
  parameters: readonly HeaderParameter[],
  input: unknown,
  headers: Headers,
): Fault | undefined {
  for (const { header, path, type } of parameters) {
    const value = path.reduce<unknown>(
      (node, key) => (isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined),
      input,
    );
    if (!['string', 'number', 'boolean'].includes(typeof value)) continue;
    const name = `Mcp-Param-${header}`;
    const sent = headers.get(name);
    const decoded = sent === null ? undefined : decodedHeader(sent);
    const same =
      decoded === String(value) ||
      (type === 'integer' && decoded !== undefined && decimal.test(decoded) && Number(decoded) === value);
    if (!same) {
      const message = `The header ${name} must repeat the argument ${path.join('.')}.`;
      return fault(codes.headerMismatch, message, { status: 400 });
    }
  }
  return undefined;
}

function marked(schema: unknown, path: readonly string[]): HeaderParameter[] {
  if (!isObject(schema)) return [];
  const own =
    mark in schema && path.length > 0
      ? [{ header: String(schema[mark]), path, type: schema['type'] as HeaderParameter['type'] }]
      : [];
  const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  return [...own, ...properties.flatMap(([key, child]) => marked(child, [...path, key]))];
}

/** All marks in the whole document: more than were reached means that one stands where it may not. */
function countMarks(schema: unknown): number {
  return JSON.stringify(schema).split(`"${mark}":`).length - 1;
}
