import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog, type ListenOptions } from '@portolan/http';
import { freePort } from '@portolan/process/testing';
import { testStore } from '@portolan/store/testing';
import type { Agent } from '../agents/agent.ts';
import { openRoutes } from '../agents/routes.ts';
import type { AnalystMode } from '../analyst/settings.ts';
import { startServer } from '../app.ts';
import { analystAddress } from '../analyst/address.ts';
import { surroundings } from '../cli/surroundings.ts';
import { operatorAddress } from '../config/address.ts';
import { secret } from '../config/secrets.ts';
import { operations } from '../operations/registry.ts';
import { openProject } from '../project/open.ts';
import type { ProjectFolder } from '../project/folder.ts';
import type { ReceiptTables } from '../receipts/ledger.ts';
import { migrations } from '../receipts/migrations.ts';
import { probes, type Probes } from './operations.ts';
import { emptyFolder, makeProject, removeFolder } from './project.ts';

export const apiToken = 'operator-token-of-tests';
export const analystToken = 'analyst-token-of-tests';

/** A server in this process, on a real database and real ports, with probes beside the real operations. */
export interface TestServer {
  readonly folder: ProjectFolder;
  readonly origin: string;
  readonly analystUrl: string;
  readonly analystPort: number;
  readonly analystPath: string;
  readonly agents: ReadonlyMap<string, Agent>;
  readonly probes: Probes;
  /** What the log said, line by line. */
  readonly logged: () => readonly string[];
  /** Closes the server alone, as a signal would. */
  stop(): Promise<void>;
  /** Closes the server, waits for its work and removes its traces. */
  close(): Promise<void>;
}

/** What a test may want otherwise. */
export interface TestServerOptions {
  readonly mode?: AnalystMode;
  readonly tools?: readonly string[];
  /** False leaves the operator API without a token. */
  readonly guarded?: boolean;
  readonly limits?: ListenOptions['limits'];
  /** saivage.yaml, where it is not the one that `saivage init` writes. */
  readonly yaml?: string;
  /** Texts of files in the root of the project, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

const allTools = ['get_status', 'show_config', 'read', 'count', 'wait', 'refuse', 'crash'];

export async function openTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { mode = 'both', tools = allTools, guarded = true, limits, yaml, files = {} } = options;
  const folder = makeProject(emptyFolder(), yaml);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.root, name), text);
  const project = openProject(folder, surroundings({}));
  const secrets = { api: guarded ? secret(apiToken) : undefined, analyst: secret(analystToken) };
  const store = await testStore<ReceiptTables>({ app: 'saivage', migrations });
  const lines: string[] = [];
  const stand = probes();
  const port = await freePort();
  const server = await startServer({
    project,
    secrets,
    address: { ...operatorAddress({}, project.configuration, secrets), port: 0 },
    analyst:
      mode === 'internal'
        ? undefined
        : { mode, port, principal: 'local-operator', tools, token: secret(analystToken) },
    operations: [...operations, ...stand.operations],
    routes: openRoutes(project.configuration, folder.root),
    environment: { PATH: process.env['PATH'] },
    log: createLog({ name: 'saivage', destination: { write: (line: string) => void lines.push(line) } }),
    db: store.db,
    now: () => new Date(),
    ...(limits && { limits }),
  });
  const address = analystAddress(project.identity, port);
  let stopped: Promise<void> | undefined;
  return {
    folder,
    origin: server.origin,
    analystUrl: address.url,
    analystPort: port,
    analystPath: address.path,
    agents: server.agents,
    probes: stand,
    logged: () => lines,
    stop: () => (stopped ??= server.close()),
    async close() {
      await (stopped ??= server.close());
      await store.close();
      removeFolder(folder);
    },
  };
}
