import { listen, type Listener, type Logger } from '@portolan/http';
import type { OperatorAddress } from '../config/address.ts';
import { redacted } from '../config/redact.ts';
import type { Secrets } from '../config/secrets.ts';
import type { OperationDeps } from '../operations/operation.ts';
import type { Project } from '../project/open.ts';
import type { Ledger } from '../receipts/ledger.ts';
import { operatorApi } from './routes.ts';

/** What the operator API is opened with. */
export interface OperatorOptions {
  readonly project: Project;
  readonly address: OperatorAddress;
  readonly secrets: Secrets;
  readonly ledger: Ledger;
  readonly deps: Pick<OperationDeps, 'observe' | 'connections'>;
  readonly log: Logger;
}

/** Opens the listener of the operator API. Rejects with the system's error. */
export function openOperator({
  project,
  address,
  secrets,
  ledger,
  deps: { observe, connections },
  log,
}: OperatorOptions): Promise<Listener> {
  const { host, port, hosts } = address;
  const configuration = redacted(project.configuration);
  const { fetch } = operatorApi({
    token: secrets.api,
    hosts,
    configuration,
    observe,
    ledger,
    connections,
    log,
  });
  return listen({ fetch, host, port, log });
}
