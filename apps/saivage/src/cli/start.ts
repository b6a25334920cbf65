import { announce, createLog } from '@portolan/http';
import { processIdentity } from '@portolan/process';
import { analystRequest, analystSettings, type AnalystFlags } from '../analyst/settings.ts';
import { startServer, type RunningServer } from '../app.ts';
import { operatorAddress } from '../config/address.ts';
import { operations } from '../operations/registry.ts';
import type { ProjectFolder } from '../project/folder.ts';
import { takeLock } from '../project/lock.ts';
import { analystGrants, openProject } from '../project/open.ts';
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

  const giveBack = await takeLock(folder);
  const log = createLog({ name: 'saivage', destination: terminal.log });
  const ending = new AbortController();
  const options = { project, secrets, address, analyst, operations, log, now: () => new Date() };
  const opening = open(folder, () => startServer({ ...options, signal: ending.signal })).catch(
    (error: unknown) => {
      giveBack();
      throw error;
    },
  );
  terminal.onStop(async () => {
    ending.abort();
    const closing = await opening.catch(() => undefined);
    await closing?.close();
    giveBack();
  }, log);
  const server = await opening;
  terminal.print(`Saivage works on ${folder.root}`);
  terminal.print(`Operator API: ${server.origin}`);
  if (server.analystUrl) terminal.print(`Analyst MCP endpoint: ${server.analystUrl}`);
}

/** Starts the server and says where it is; its end takes that back first. */
async function open(folder: ProjectFolder, begin: () => Promise<RunningServer>): Promise<RunningServer> {
  const server = await begin();
  const { origin, analystUrl } = server;
  const { pid, startTime } = ourselves();
  const facts = { pid, startTime, origin, ...(analystUrl !== undefined && { analystUrl }) };
  const withdraw = await announce({ file: folder.endpoint, facts });
  return {
    ...server,
    async close() {
      await withdraw();
      await server.close();
    },
  };
}

function ourselves() {
  const identity = processIdentity();
  if (!identity) throw new Error('This process does not see itself in /proc.');
  return identity;
}
