import { allows } from '../access.ts';
import { outcome, text, type Outcome, type ToolResult } from '../answer.ts';
import type { Tool } from '../define.ts';
import { running, type Answer, type Ask, type Begun } from './ask.ts';
import { codes, echoed, fault, type Fault } from './fault.ts';
import { headerParameterFault } from './header-parameters.ts';
import { isObject } from './object.ts';
import { apology, report, settle } from './report.ts';

/**
 * tools/call. A tool that the caller may not see answers exactly like one that does not exist, unless the mount offers
 * this caller a step-up; everything that a handler says, and everything that goes wrong inside it, is a result.
 */
export async function callTool<Deps>(ask: Ask<Deps>): Promise<Answer> {
  const called = calledBy(ask);
  if ('code' in called) return rejected(ask, called);
  const { json, ended } = await run(ask, called);
  settle(ask, called.tool.name, ended);
  return json;
}

/**
 * Begins a tools/call for a caller who is not certain yet: only of a tool that reads, so that nothing is left when somebody else or
 * nobody has called. It answers nothing and tells nobody; `callTool` does, once `ask` comes with it.
 */
export function beginCall<Deps>(ask: Ask<Deps>): Begun | undefined {
  const called = calledBy(ask);
  if ('code' in called || called.tool.effect !== 'reads') return undefined;
  const begun = begin(ask, called);
  begun.result.catch(() => undefined);
  return begun;
}

/** A tool that the caller may call, and what for. */
interface Called<Deps> {
  readonly tool: Tool<Deps>;
  readonly input: object;
}

function calledBy<Deps>(ask: Ask<Deps>): Called<Deps> | Fault {
  const { name, arguments: input = {} } = ask.params;
  const tool = typeof name === 'string' ? ask.surface.tool(name) : undefined;
  if (!tool || !allows(tool.access, ask.caller)) return stepUp(ask, name) ?? unknownTool(name);
  if (!isObject(input)) return fault(codes.invalidParams, 'The arguments of a tool are an object.');
  return headerFault(ask, tool, input) ?? { tool, input };
}

function begin<Deps>(ask: Ask<Deps>, { tool, input }: Called<Deps>): Begun {
  const { call, stopped } = running(ask, tool.effect === 'reads');
  return { result: new Promise((resolve) => resolve(tool.run(input, call))), stopped };
}

async function run<Deps>(ask: Ask<Deps>, called: Called<Deps>): Promise<{ json: string; ended: Outcome }> {
  const { tool } = called;
  const encode = (result: ToolResult): string =>
    ask.codec.tool(ask.surface.identity, tool.descriptor, result);
  const { result: answered, stopped } = ask.begun ?? begin(ask, called);
  try {
    const result = await answered;
    return { json: encode(result), ended: result[outcome] ?? (result.isError ? 'failed' : 'succeeded') };
  } catch (error) {
    if (stopped()) return { json: encode(nobodyWaits), ended: 'cancelled' };
    const reference = report(ask.options, error, { caller: ask.caller, subject: tool.name });
    return { json: encode(broken(reference)), ended: tool.effect === 'reads' ? 'failed' : 'uncertain' };
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
