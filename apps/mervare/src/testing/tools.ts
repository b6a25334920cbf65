import { randomBytes } from 'node:crypto';
import type { Caller, Tool, ToolResult } from '@portolan/mcp/tool';
import { allows } from '@portolan/mcp/tool';
import type { Deps } from '../mcp/vocabulary.ts';
import { testRegister } from './site.ts';

/** What a refused call said. */
export interface Refused {
  readonly refused: string;
  readonly message: string;
  readonly [detail: string]: unknown;
}

/** Tools over a database of their own. A millisecond passes with every call, and more where `clock` is moved. */
export async function testTools() {
  const register = await testRegister();
  const clock = { now: Date.parse('2026-05-04T12:00:00Z') };
  const deps: Deps = {
    harbours: register.anonymous,
    db: register.db,
    origin: 'https://mervare.example',
    asset: (file) => `/assets/${file}`,
    previewKey: randomBytes(32),
    now: () => clock.now,
  };

  /** What the tool answers this caller, as a client would get it, or what it says why not. */
  async function ask<Answer = Record<string, unknown>>(
    tool: Tool<Deps>,
    input: unknown,
    caller: Caller,
  ): Promise<Answer & Refused> {
    clock.now += 1;
    if (!allows(tool.access, caller))
      return { refused: 'unknown_tool', message: tool.name } as Answer & Refused;
    const result = await tool.run(input, { deps, caller, signal: new AbortController().signal });
    return (result.isError ? refusalOf(result) : result.structuredContent) as Answer & Refused;
  }

  return { db: register.db, deps, clock, ask, close: () => register.close() };
}

/** What a refused call said, from its result. */
export function refusalOf({ content, _meta }: ToolResult): Refused {
  const [block] = content;
  const { code = 'none', ...details } = (_meta?.['error'] ?? {}) as { code?: string };
  return { refused: code, message: block?.type === 'text' ? block.text : '', ...details };
}

/** A caller as `authenticate` would make it. */
export function callerWith(parts: Pick<Caller, 'kind' | 'name'> & Partial<Caller>): Caller {
  return { audience: 'https://mervare.example/api/mcp', scopes: [], grants: [], ...parts };
}
