import { isFault, readSchema } from '@portolan/mcp/schema';
import type { ClientTool } from '@sveda-ai/protocol';
import type { FoundTool } from './found.ts';
import { escaped } from './names.ts';
import type { Supply } from './supply.ts';

/** Characters of one schema. Compiling one takes time of everybody, and a page may send another with each post. */
const SCHEMA_CHARACTERS = 16_384;

/** The tools of the page. Their calls wait for the page; nothing runs here. One whose schema no provider takes costs itself. */
export function pageTools(tools: readonly ClientTool[]): Pick<Supply, 'tools' | 'unusable'> {
  const judged = tools.map((tool) => ({ tool, rule: faultOf(tool) }));
  return {
    tools: judged.flatMap(({ tool, rule }) => (rule === undefined ? [found(tool)] : [])),
    unusable: judged.flatMap(({ tool, rule }) =>
      rule === undefined ? [] : [{ name: escaped(tool.name), source: 'frontend', rule }],
    ),
  };
}

function faultOf({ parameters }: ClientTool): string | undefined {
  const schema = readSchema(parameters);
  if (isFault(schema)) return schema.code;
  if (JSON.stringify(parameters).length > SCHEMA_CHARACTERS) return 'schema_too_large';
  return parameters.type === 'object' ? undefined : 'schema_not_object';
}

function found({ name, description, parameters, confirmation }: ClientTool): FoundTool {
  return {
    origin: 'frontend',
    name,
    description,
    inputSchema: parameters,
    confirmation: confirmation === 'required',
    definition: { description, parameters },
  };
}
