import type { Catalogue, Entry } from './catalogue.ts';
import type { Dispatch } from './dispatch.ts';
import type { RunTask } from './builtin/spawn.ts';
import { validateInput } from './validate.ts';

/** Runs a task as the call that the model could have made itself: the same names, policy, schema and dispatch. */
export function taskRunner(catalogue: Catalogue, dispatch: Dispatch): RunTask {
  const byName = new Map([...catalogue.entries.values()].map((entry) => [entry.governed.name, entry]));
  return async (tool, input, call) => {
    const entry = catalogue.entries.get(tool) ?? byName.get(tool);
    const refused = entry ? refusalOf(entry, input) : 'There is no tool of this name.';
    if (!entry || refused !== undefined) return { refused: refused ?? '' };
    return dispatch(entry.offered.name, input, call);
  };
}

function refusalOf({ tool, offered }: Entry, input: Readonly<Record<string, unknown>>): string | undefined {
  if (!tool.run) return 'The page runs this tool: call it by itself.';
  if (tool.origin === 'builtin' && tool.section === undefined) return 'Tasks cannot have tasks.';
  if (offered.confirmation) return 'This tool asks for the confirmation of the visitor: call it by itself.';
  const fault = validateInput(offered.inputSchema, input);
  return fault === undefined ? undefined : `The arguments do not fit the tool's schema: ${fault}`;
}
