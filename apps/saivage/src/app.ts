import { randomUUID } from 'node:crypto';
import { listen, type Listener, type ListenOptions, type Logger } from '@portolan/http';
import type { Kysely } from 'kysely';
import { analystAddress } from './analyst/address.ts';
import { openAnalystListener } from './analyst/listener.ts';
import { serveAnalyst } from './analyst/serve.ts';
import type { AnalystSettings } from './analyst/settings.ts';
import { operatorApi } from './api/routes.ts';
import type { OperatorAddress } from './config/address.ts';
import { redacted, redactedYaml } from './config/redact.ts';
import type { Secrets } from './config/secrets.ts';
import { projectFiles } from './files/project-files.ts';
import type { Operation } from './operations/operation.ts';
import type { Project } from './project/open.ts';
import { ledger, type Ledger, type ReceiptTables } from './receipts/ledger.ts';
import { observer, type Observation } from './runtime/observation.ts';

/** Everything that one server of a project is made of. */
export interface ServerOptions {
  readonly project: Project;
  readonly secrets: Secrets;
  readonly address: OperatorAddress;
  /** Undefined in the internal mode: then no Analyst port is opened. */
  readonly analyst: AnalystSettings | undefined;
  readonly operations: readonly Operation[];
  readonly log: Logger;
  /** The open database. It outlives the server: work that is joined still writes its receipts. */
  readonly db: Kysely<ReceiptTables>;
  readonly now: () => Date;
  /** Bounds of the Analyst listener, where they are not the usual ones. */
  readonly limits?: ListenOptions['limits'];
}

/** A server that takes requests. */
export interface RunningServer {
  readonly origin: string;
  readonly analystUrl: string | undefined;
  /** Closes admission at once, then waits for all admitted work. */
  close(): Promise<void>;
}

/** Milliseconds that work may take after the end was asked for: as long as a call may take at all. */
const JOIN_MS = 900_000;

/** Opens the listeners of a project whose lock this process holds. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { project, db, analyst, now } = options;
  const receipts = ledger(db, now);
  await receipts.tidy();
  const observe = observer(project.identity, analyst, now);
  const operator = await openOperator(options, receipts, observe);
  if (!analyst) return { origin: operator.origin, analystUrl: undefined, close: () => closeAll([operator]) };
  try {
    const { listener, url } = await openAnalyst(options, analyst, receipts, observe);
    return { origin: operator.origin, analystUrl: url, close: () => closeAll([operator, listener]) };
  } catch (error) {
    await closeAll([operator]);
    throw error;
  }
}

function openOperator(
  options: ServerOptions,
  receipts: Ledger,
  observe: () => Observation,
): Promise<Listener> {
  const { address, secrets, project, log } = options;
  const api = operatorApi({
    token: secrets.api,
    hosts: address.hosts,
    configuration: redacted(project.configuration),
    observe,
    ledger: receipts,
    log,
  });
  return listen({ fetch: api.fetch, host: address.host, port: address.port, log });
}

async function openAnalyst(
  { project, operations, log, limits }: ServerOptions,
  settings: AnalystSettings,
  receipts: Ledger,
  observe: () => Observation,
): Promise<{ listener: Listener; url: string }> {
  const { identity, folder, configuration } = project;
  const address = analystAddress(identity, settings.port);
  const serve = serveAnalyst({
    identity,
    settings,
    operations,
    deps: { files: projectFiles(folder.root), configuration: redactedYaml(configuration), observe },
    ledger: receipts,
    report(error, subject) {
      const reference = randomUUID();
      log.error({ err: error, subject, reference }, 'an operation broke');
      return reference;
    },
  });
  return {
    listener: await openAnalystListener({ address, settings, serve, log, ...(limits && { limits }) }),
    url: address.url,
  };
}

async function closeAll(listeners: readonly Listener[]): Promise<void> {
  await Promise.all(listeners.map((one) => one.close({ graceMs: JOIN_MS })));
}
