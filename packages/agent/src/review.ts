import type { Call, CallState } from './history.ts';
import { keepable, parseKeepable } from './letters.ts';
import type { Offer, OfferedTool, Validate } from './tools.ts';

/** A call as a provider's stream gives it. */
export interface RawCall {
  readonly callId: string;
  readonly name: string;
  /** The arguments as text. */
  readonly input: string;
  readonly metadata?: Call['metadata'];
}

const MALFORMED_CHARS = 2_000;

/** The call as it stands in history: arguments parsed, and whom it waits for. At fault, it waits for nobody. */
export function receive(raw: RawCall, offer: Offer, validate: Validate): Call {
  const tool = offer.get(raw.name)?.tool;
  const input = parseObject(raw.input);
  const call: Call = {
    type: 'call',
    callId: raw.callId,
    name: raw.name,
    ...(tool?.shownAs !== undefined && { shownAs: tool.shownAs }),
    input: input ?? {},
    ...(!input && { malformed: keepable(raw.input.slice(0, MALFORMED_CHARS)) }),
    runs: tool?.runs ?? 'here',
    ...(tool?.confirmation && { confirmation: tool.confirmation }),
    state: 'due',
    ...(raw.metadata && { metadata: raw.metadata }),
  };
  return tool && !faultOfInput(call, tool, validate) ? { ...call, state: stateFor(tool) } : call;
}

function stateFor(tool: OfferedTool): CallState {
  if (tool.confirmation) return 'asking';
  return tool.runs === 'page' ? 'page' : 'due';
}

/**
 * Why a call that is due may not be sent, in words for the model, or nothing. Asked right before sending:
 * a tool may have gone or changed since the call was made.
 */
export function refusalOf(call: Call, offer: Offer, validate: Validate): string | undefined {
  const tool = offer.get(call.name)?.tool;
  if (!tool) return `There is no tool named ${JSON.stringify(call.name)}.`;
  const fault = faultOfInput(call, tool, validate);
  if (fault) return fault;
  if ((tool.runs ?? 'here') !== call.runs || (tool.confirmation && !call.approved))
    return 'The tool has changed since this call was made. Make the call again.';
  return undefined;
}

function faultOfInput(call: Call, tool: OfferedTool, validate: Validate): string | undefined {
  if (call.malformed !== undefined) return `The arguments are not a JSON object: ${call.malformed}`;
  const fault = validate(tool.inputSchema, call.input);
  return fault && `The arguments do not fit the tool's schema: ${fault}`;
}

/** Arguments are a JSON object; no text at all counts as an empty one. */
function parseObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  try {
    const value = parseKeepable(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
