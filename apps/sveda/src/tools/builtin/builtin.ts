import type { Caller, ContentBlock, Tool } from '@portolan/mcp/tool';
import type { FoundTool } from '../found.ts';
import type { CodeIndex } from './code-index.ts';
import { codeTools } from './code.ts';
import { spawnTool, type RunTask } from './spawn.ts';
import { webFetchTool, webSearchTool, type Web } from './web.ts';

/** What builtin tools stand on. Where the ground is not there, neither is the tool. */
export interface Ground {
  readonly code: CodeIndex | undefined;
  readonly web: Web | undefined;
}

/** The builtin tools that this server has by itself. */
export function builtinTools({ code, web }: Ground): FoundTool[] {
  return [
    ...(code ? codeTools.map((tool) => builtin(tool, code, 'code')) : []),
    ...(web ? [builtin(webFetchTool, web, 'web')] : []),
    ...(web?.search ? [builtin(webSearchTool, web, 'web')] : []),
  ];
}

/** `spawn_tasks` over tools that tasks may call. */
export function spawnTasks(runTask: RunTask): FoundTool {
  return {
    ...described(spawnTool),
    async run(input, call) {
      const images: ContentBlock[] = [];
      const result = await spawnTool.run(input, {
        deps: { runTask, call, images },
        caller: MODEL,
        signal: call.signal,
      });
      return { ...result, content: [...result.content, ...images] };
    },
  };
}

function builtin<Deps>(tool: Tool<Deps>, deps: Deps, section: 'code' | 'web'): FoundTool {
  return {
    ...described(tool),
    section,
    run: (input, { signal }) => tool.run(input, { deps, caller: MODEL, signal }),
  };
}

function described<Deps>({ descriptor }: Tool<Deps>): FoundTool {
  const { name, description = name, inputSchema } = descriptor;
  return { origin: 'builtin', name, description, inputSchema, confirmation: false, definition: undefined };
}

/** Builtin tools serve whoever talks to the model: what the visitor may do was asked before. */
const MODEL: Caller = { kind: 'model', name: 'model', audience: '', scopes: [], grants: [] };
