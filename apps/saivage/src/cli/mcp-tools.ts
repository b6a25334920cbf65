import type { CatalogTool, Connection } from '@portolan/mcp/connect';
import { isFault } from '@portolan/mcp/schema';
import type { ProjectFolder } from '../project/folder.ts';
import { withServer } from './mcp-server.ts';
import { columns, printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

/** Letters of a tool's description that are shown in its row. */
const SHOWN = 100;

/** `saivage mcp tools`: the whole catalog of one server. Answers the exit code. */
export function listTools(
  folder: ProjectFolder,
  serverName: string,
  { json }: { readonly json?: true },
  terminal: Terminal,
): Promise<number> {
  return withServer(folder, serverName, terminal, async (connection) => ({
    lines: json ? [asJson(connection)] : asTable(connection),
    code: 0,
  }));
}

function asJson({ serverInfo, revision, instructions, catalog }: Connection): string {
  const tools = catalog.tools.map(({ sent }) => sent);
  return JSON.stringify({ serverInfo, revision, instructions, nameless: catalog.nameless, tools });
}

function asTable({ catalog: { tools, nameless } }: Connection): string[] {
  return [
    ...columns(tools.map((tool) => [printable(tool.name), faultOf(tool) ?? firstLine(tool)])),
    ...(nameless > 0 ? [`Entries without a name: ${nameless}.`] : []),
    ...(tools.length === 0 ? ['The server has no tools.'] : []),
  ];
}

function faultOf({ input, output }: CatalogTool): string | undefined {
  const fault = [input, output].find((schema) => schema && isFault(schema));
  return fault && isFault(fault) ? `(cannot be called: ${fault.says})` : undefined;
}

function firstLine({ sent: { description } }: CatalogTool): string {
  const [line = ''] = typeof description === 'string' ? description.trim().split('\n', 1) : [];
  return printable(line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line);
}
