import { ContentFailure, CONTENT_LIMITS, MaxDimension, projectResult } from '@portolan/mcp/content';
import { anyone, toolsFor } from '@portolan/mcp/tool';
import { z } from 'zod';
import { Declined } from '../envelope.ts';
import type { OperationDeps } from '../operation.ts';
import { onServer } from './failure.ts';
import { NativeAnswer, nativeEnvelope, toNative } from './native.ts';
import { bindingId, serverName, toolArguments } from './shapes.ts';

const maxDimension = MaxDimension.default(CONTENT_LIMITS.side).describe(
  'Longest side of the images that come back, in pixels. The server is not told.',
);

export const mcpToolCall = toolsFor<OperationDeps>(nativeEnvelope)('mcp_tool_call', {
  title: 'Call a tool of an MCP server',
  says:
    'Calls a tool once, with the ids under which mcp_tools has shown it; stale ids fail before anything is sent. What comes ' +
    'back is in content, in order; images follow as images. It is never called again by itself: after a failure, look ' +
    'what became of it first.',
  access: anyone,
  effect: 'destroys',
  openWorld: true,
  input: z.strictObject({
    serverName,
    bindingId,
    catalogId: z.string().max(64).describe('Of the present tool list, as mcp_tools answers it.'),
    toolName: z.string().min(1),
    args: toolArguments
      .default({})
      .describe('They must fit the schema of the tool. Without them there are none.'),
    max_dimension: maxDimension,
  }),
  output: NativeAnswer,
  example: {
    serverName: 'local',
    bindingId: '019e1b1e-6c3e-7c7a-9b60-4f3f0d7c5a11',
    catalogId: '019e1b1e-6c3f-7d14-8f0e-0f5d1f0c3b22',
    toolName: 'ping',
    args: {},
  },
}).run(async ({ max_dimension: longest, ...call }, { deps, signal }) => {
  const answer = await onServer(() => deps.connections.call(call, { signal }));
  const result = await projectResult(answer, { maxDimension: longest, signal }).catch(refuse);
  return toNative(call, result);
});

/** The tool has done its work by then, so what became of it is uncertain for the caller. */
function refuse(error: unknown): never {
  if (!(error instanceof ContentFailure)) throw error;
  const { code, message } = error;
  throw new Declined({ code, message, details: { effects: 'possible' } }, 'uncertain');
}
