import type { ProjectFolder } from '../project/folder.ts';
import { reach, type Reached, type ReachedTool } from './mcp-reach.ts';
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
  return reach(folder, serverName, terminal, async (reached) => ({
    lines: json ? [asJson(reached)] : asTable(reached),
    code: 0,
  }));
}

function asJson({ about, tools }: Reached): string {
  return JSON.stringify({ ...about, tools: tools.map(({ sent }) => sent) });
}

function asTable({ about: { nameless }, tools }: Reached): string[] {
  return [
    ...columns(tools.map((tool) => [printable(tool.name), shown(tool)])),
    ...(Number(nameless ?? 0) > 0 ? [`Entries without a name: ${Number(nameless)}.`] : []),
    ...(tools.length === 0 ? ['The server has no tools.'] : []),
  ];
}

function shown({ fault, sent: { description } }: ReachedTool): string {
  if (fault !== undefined) return `(cannot be called: ${fault})`;
  const [line = ''] = typeof description === 'string' ? description.trim().split('\n', 1) : [];
  return printable(line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line);
}
