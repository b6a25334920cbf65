import { serveMcp, surface, type Serve } from '@portolan/mcp/serve';
import type { Operation, OperationDeps } from '../operations/operation.ts';
import type { Identity } from '../project/identity.ts';
import { receipted, type ReceiptedOptions } from '../receipts/receipted.ts';
import { release } from '../release.ts';
import { analystContext } from './context.ts';
import { binding, instructions } from './handshake.ts';
import type { AnalystSettings } from './settings.ts';
import { REVISION } from './steps/protocol.ts';

/** What is served to the external client. */
export interface AnalystServeOptions extends ReceiptedOptions {
  readonly identity: Identity;
  readonly settings: AnalystSettings;
  /** Every operation; the selection is made here. */
  readonly operations: readonly Operation[];
  readonly deps: OperationDeps;
}

/** Serves exactly the selected operations and the context, with a receipt for every call. */
export function serveAnalyst(options: AnalystServeOptions): Serve {
  const { identity, settings, operations, deps, report } = options;
  const selected = settings.tools.flatMap((name) => operations.filter((one) => one.name === name));
  const offered = surface({
    server: { name: 'saivage-analyst', title: 'Saivage Analyst', release },
    tools: selected.map((one) => receipted(one, options)),
    resources: [analystContext],
    instructions: instructions(identity),
    meta: binding(identity, settings),
  });
  return serveMcp({
    surface: () => offered,
    deps,
    revisions: [REVISION],
    disconnect: 'detached',
    onError: (error, { subject = 'the Analyst listener' }) => report(error, subject),
  });
}
