import type { CallContext, ToolSource } from '@portolan/agent';
import { Refusal, type ToolResult } from '@portolan/mcp/tool';
import type { Catalogue, Entry } from './catalogue.ts';
import { asStored } from '../turn/storable.ts';
import { asksFor, ruleAgainst, type Documents } from './policy.ts';

/** What is asked again right before a call is sent. */
export interface Grounds {
  /** The documents in force at this moment. */
  readonly documents: () => Documents;
  /** Calls that an earlier segment left open, by their id: they were made to what had the name then. */
  readonly carried: ReadonlySet<string>;
}

/** Sends a call of the model, or of a task, to the tool that has the name. */
export type Dispatch = (
  name: string,
  input: Readonly<Record<string, unknown>>,
  call: CallContext,
) => Promise<ToolResult>;

/** The only way to a tool: what the catalogue refuses, nothing runs. Throws a Refusal for the model. */
export function dispatchOver({ entries }: Catalogue, { documents, carried }: Grounds): Dispatch {
  return async (name, input, call) => {
    const entry = entries.get(name);
    if (!entry?.tool.run) throw new Refusal('not_found', 'There is no such tool here.');
    requireAllowed(entry, documents());
    if (entry.isAnother && carried.has(call.callId))
      throw new Refusal('conflict', 'Another tool has this name now. Nothing was sent. Make the call again.');
    return asStored(await entry.tool.run(input, call));
  };
}

/** The policy may have changed since the tool was offered. */
function requireAllowed({ governed, offered }: Entry, documents: Documents): void {
  const rule = ruleAgainst(documents, governed);
  if (rule !== undefined)
    throw new Refusal('forbidden', 'The policy no longer allows this call. Nothing was sent.');
  if (offered.confirmation === undefined && asksFor(documents, governed))
    throw new Refusal('forbidden', 'This call needs the confirmation of the visitor now. Nothing was sent.');
}

/** The catalogue as the loop's one source of tools. */
export function sourceOver({ entries }: Catalogue, dispatch: Dispatch): ToolSource {
  const offered = [...entries.values()].map((entry) => entry.offered);
  return { list: () => Promise.resolve(offered), call: dispatch };
}
