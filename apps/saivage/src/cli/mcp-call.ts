import { exitCodes, UsageError } from '@portolan/cli';
import type { Answer } from '@portolan/mcp/connect';
import type { ProjectFolder } from '../project/folder.ts';
import { reach } from './mcp-reach.ts';
import { linesOfResult } from './mcp-result.ts';
import type { Terminal } from './terminal.ts';

/** What a call names and how it is shown. */
export interface CallFlags {
  readonly args?: Readonly<Record<string, unknown>>;
  readonly json?: true;
}

/** `saivage mcp call`: one call of one tool. Answers the exit code: 1 when the tool reports an error. */
export function callTool(
  folder: ProjectFolder,
  target: { readonly serverName: string; readonly toolName: string },
  { args = {}, json }: CallFlags,
  terminal: Terminal,
): Promise<number> {
  const { serverName, toolName } = target;
  return reach(folder, serverName, terminal, async (reached) => {
    const tool = reached.tools.find(({ name }) => name === toolName);
    if (!tool) throw new UsageError(`The MCP server "${serverName}" has no tool "${toolName}".`);
    const answer = await tool.call(args);
    return { lines: json ? [JSON.stringify(answer)] : linesOfResult(answer), code: codeOf(answer) };
  });
}

/** The value of `--args`. */
export function jsonObject(value: string): Readonly<Record<string, unknown>> {
  const parsed = parse(value);
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
    return parsed as Record<string, unknown>;
  throw new UsageError('--args must be a JSON object.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function codeOf({ isError }: Answer): number {
  return isError === true ? exitCodes.failure : 0;
}
