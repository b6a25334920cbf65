import { allows } from '../access.ts';
import { outcome, text, type Outcome, type ToolResult } from '../answer.ts';
import type { Tool } from '../define.ts';
import { running, type Answer, type Ask } from './ask.ts';
import { codes, echoed, fault, type Fault } from './fault.ts';
import { headerParameterFault } from './header-parameters.ts';
import { isObject } from './object.ts';
import { apology, report, settle } from './report.ts';

/**
 * tools/call. A tool that the caller may not see answers exactly like one that does not exist, unless the mount offers
 * this caller a step-up; everything that a handler says, and everything that goes wrong inside it, is a result.
 */
export async function callTool<Deps>(ask: Ask<Deps>): Promise<Answer> {
  const { name, arguments: input = {} } = ask.params;
  const tool = typeof name === 'string' ? ask.surface.tool(name) : undefined;
  if (!tool || !allows(tool.access, ask.caller)) return rejected(ask, stepUp(ask, name) ?? unknownTool(name));
  const refusal = isObject(input)
    ? headerFault(ask, tool, input)
    : fault(codes.invalidParams, 'The arguments of a tool are an object.');
  if (refusal) return rejected(ask, refusal);
  const { json, ended } = await run(ask, tool, input);
  settle(ask, tool.name, ended);
  return json;
}

async function run<Deps>(
  ask: Ask<Deps>,
  tool: Tool<Deps>,
  input: unknown,
): Promise<{ json: string; ended: Outcome }> {
  const encode = (result: ToolResult): string =>
    ask.codec.tool(ask.surface.identity, tool.descriptor, result);
  const reads = tool.effect === 'reads';
  const { call, stopped } = running(ask, reads);
  try {
    const result = await tool.run(input, call);
    return { json: encode(result), ended: result[outcome] ?? (result.isError ? 'failed' : 'succeeded') };
  } catch (error) {
    if (stopped()) return { json: encode(nobodyWaits), ended: 'cancelled' };
    const reference = report(ask.options, error, { caller: ask.caller, subject: tool.name });
    return { json: encode(broken(reference)), ended: reads ? 'failed' : 'uncertain' };
  }
}

function rejected<Deps>(ask: Ask<Deps>, found: Fault): Fault {
  const { name } = ask.params;
  settle(ask, typeof name === 'string' ? name : '', 'rejected');
  return found;
}

/** Not for everybody: it tells that there is such a tool (RFC 6750 §3.1). */
function stepUp<Deps>({ options, caller }: Ask<Deps>, name: unknown): Fault | undefined {
  const asked = typeof name === 'string' ? options.stepUp?.(name, caller) : undefined;
  if (asked === undefined) return undefined;
  const headers = { 'www-authenticate': asked };
  return fault(codes.transport, 'The credential lacks a scope of this tool.', { status: 403, headers });
}

function unknownTool(name: unknown): Fault {
  return fault(
    codes.invalidParams,
    typeof name === 'string' ? `Unknown tool: ${echoed(name)}` : 'tools/call names its tool in params.name.',
  );
}

/** In the modern era marked arguments are repeated in headers. */
function headerFault<Deps>(ask: Ask<Deps>, tool: Tool<Deps>, input: object): Fault | undefined {
  if (ask.codec.era === 'legacy') return undefined;
  return headerParameterFault(ask.surface.headerParameters(tool), input, ask.headers);
}

const nobodyWaits: ToolResult = { content: [text('The caller went away.')], isError: true };

function broken(reference: string): ToolResult {
  return {
    content: [text(apology(reference))],
    isError: true,
    _meta: { error: { code: 'internal', reference } },
  };
}
