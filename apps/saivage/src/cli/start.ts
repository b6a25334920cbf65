import { dataFolder } from '@portolan/cli';
import { announce, createLog, type Logger } from '@portolan/http';
import { openStore } from '@portolan/store';
import { openRoutes } from '../agents/routes.ts';
import { analystRequest, analystSettings, type AnalystFlags } from '../analyst/settings.ts';
import { startServer, type RunningServer, type ServerOptions } from '../app.ts';
import { operatorAddress } from '../config/address.ts';
import { operations } from '../operations/registry.ts';
import type { ProjectFolder } from '../project/folder.ts';
import { takeLock } from '../project/lock.ts';
import { analystGrants, openProject } from '../project/open.ts';
import type { ReceiptTables } from '../receipts/ledger.ts';
import { migrations } from '../receipts/migrations.ts';
import { surroundings } from './surroundings.ts';
import type { Terminal } from './terminal.ts';

/** The flags of `saivage start`. */
export interface StartFlags extends AnalystFlags {
  readonly host?: string;
  readonly port?: number;
}

/** `saivage start`: resolves when the server is ready. Everything is judged before anything is opened or written. */
export async function start(folder: ProjectFolder, flags: StartFlags, terminal: Terminal): Promise<void> {
  const request = analystRequest(flags);
  const secrets = terminal.takeSecrets();
  const project = openProject(folder, surroundings(terminal.environment));
  const address = operatorAddress(flags, project.configuration, secrets);
  const analyst = analystSettings(request, secrets, analystGrants(project.configuration));
  const routes = openRoutes(project.configuration, folder.root);

  const log = createLog({ name: 'saivage', destination: terminal.log });
  const ending = new AbortController();
  const { environment } = terminal;
  const options = { project, secrets, address, analyst, operations, routes, environment, log };
  const opening = open(folder, options, ending.signal);
  terminal.onStop(async () => {
    ending.abort();
    await (await opening.catch(() => undefined))?.close();
  }, log);
  const server = await opening.catch((error: unknown) => {
    if (!ending.signal.aborted) throw error;
    return undefined;
  });
  if (server) sayWhere(server, folder, terminal);
}

/** Takes the lock, then opens the database, then the listeners, then says where they are. The end goes backwards. */
async function open(
  folder: ProjectFolder,
  options: Omit<ServerOptions, 'db' | 'now'>,
  signal: AbortSignal,
): Promise<RunningServer> {
  for (const own of [folder.locks, folder.data]) await dataFolder(own);
  const { owner, giveBack } = await takeLock(folder);
  const undo: (() => void | Promise<void>)[] = [giveBack];
  const close = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const store = await openDatabase(folder, options.log, signal);
    undo.push(() => store.close());
    const server = await startServer({ ...options, db: store.db, now: () => new Date() });
    undo.push(() => server.close());
    const { origin, analystUrl } = server;
    const { pid, startTime } = owner;
    const facts = { pid, startTime, origin, ...(analystUrl !== undefined && { analystUrl }) };
    undo.push(await announce({ file: folder.endpoint, facts }));
    return { ...server, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function openDatabase({ data }: ProjectFolder, log: Logger, signal: AbortSignal) {
  return openStore<ReceiptTables>({
    dataDir: data,
    app: 'saivage',
    migrations,
    log: (message, facts) => log.info(facts, message),
    signal,
  });
}

function sayWhere({ origin, analystUrl }: RunningServer, { root }: ProjectFolder, { print }: Terminal): void {
  print(`Saivage works on ${root}`);
  print(`Operator API: ${origin}`);
  if (analystUrl !== undefined) print(`Analyst MCP endpoint: ${analystUrl}`);
}
