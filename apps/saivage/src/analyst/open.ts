import { randomUUID } from 'node:crypto';
import type { Listener, ListenOptions, Logger } from '@portolan/http';
import type { Operation, OperationDeps } from '../operations/operation.ts';
import type { Project } from '../project/open.ts';
import type { Ledger } from '../receipts/ledger.ts';
import { analystAddress } from './address.ts';
import { openAnalystListener } from './listener.ts';
import { serveAnalyst } from './serve.ts';
import type { AnalystSettings } from './settings.ts';

/** What the external Analyst is opened with. */
export interface AnalystOptions {
  readonly project: Project;
  /** Every operation; the settings select among them. */
  readonly operations: readonly Operation[];
  readonly deps: OperationDeps;
  readonly ledger: Ledger;
  readonly log: Logger;
  readonly limits?: ListenOptions['limits'];
}

/** Opens the external Analyst of a project: its listener, and the exact URL of it. Rejects with the system's error. */
export async function openAnalyst(
  settings: AnalystSettings,
  { project: { identity }, operations, deps, ledger, log, limits }: AnalystOptions,
): Promise<{ readonly listener: Listener; readonly url: string }> {
  const address = analystAddress(identity, settings.port);
  const serve = serveAnalyst({
    identity,
    settings,
    operations,
    deps,
    ledger,
    report(error, subject) {
      const reference = randomUUID();
      log.error({ err: error, subject, reference }, 'an operation broke');
      return reference;
    },
  });
  const listener = await openAnalystListener({ address, settings, serve, log, ...(limits && { limits }) });
  return { listener, url: address.url };
}
