import { dataFolder } from '@portolan/cli';
import { connect, ConnectionFailure } from '@portolan/mcp/connect';
import { Misconfigured } from '@portolan/mcp/tool';
import { openStore } from '@portolan/store';
import { inForce, modelName } from '../config/in-force.ts';
import { readSettings, type Settings } from '../config/settings.ts';
import { migrations } from '../migrations.ts';
import { CLIENT } from '../release.ts';
import type { Tables } from '../tables.ts';
import { definitionOfServer, type RuntimeServer } from '../tools/runtime.ts';
import type { Terminal } from './program.ts';
import { tryModel } from './try-model.ts';

/** How long a shared MCP server may take to list its tools, in milliseconds. */
const PATIENCE_MS = 30_000;

/**
 * `sveda check`: true when `serve` could start here and would find what it names. The database is opened as `serve` opens it,
 * migrations included; each model is asked for a word, each shared MCP server for its tools. Every fault is said.
 */
export async function check({ environment, print, complain }: Terminal): Promise<boolean> {
  const settings = await judged(() => readSettings(environment), complain);
  if (!settings) return false;
  const { models, mcp } = settings.configuration;
  const faults = await Promise.all([
    faultOf('', () => openDatabase(settings)),
    faultOf('', async () => void inForce(settings.configuration)),
    ...models.map((candidate) => faultOf(`Model ${modelName(candidate)}: `, () => tryModel(candidate))),
    ...Object.entries(mcp.mcpServers).map(([name, server]) =>
      faultOf(`MCP server ${name}: `, () => tryServer(server)),
    ),
  ]);
  const found = faults.filter((fault) => fault !== undefined);
  for (const fault of new Set(found)) complain(`fault: ${fault}`);
  if (found.length > 0) return false;
  const names = [...new Set(models.map(modelName))].join(', ');
  const servers = Object.keys(mcp.mcpServers).join(', ') || 'none';
  print(
    `No fault found. Models: ${names}. Shared MCP servers: ${servers}. Minting needs ${settings.hostKey ? 'the host key' : 'to come from this machine'}.`,
  );
  return true;
}

async function judged<Result>(
  read: () => Result,
  complain: (line: string) => void,
): Promise<Result | undefined> {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error;
    complain(`fault: ${error.message}`);
    return undefined;
  }
}

/** What the operator must mend; a trial answers it, or throws it as Misconfigured. */
async function faultOf(
  subject: string,
  trial: () => Promise<string | undefined | void>,
): Promise<string | undefined> {
  try {
    const fault = await trial();
    return fault ? `${subject}${fault}` : undefined;
  } catch (error) {
    // Rooms have their own class of this name; the operator's part is the same.
    if (error instanceof Error && error.name === 'Misconfigured') return error.message;
    throw error;
  }
}

async function tryServer(server: RuntimeServer): Promise<string | undefined> {
  try {
    const connection = await connect(definitionOfServer(server), { budget: PATIENCE_MS, clientInfo: CLIENT });
    await connection.close();
    return undefined;
  } catch (error) {
    if (error instanceof ConnectionFailure) return error.message;
    throw error;
  }
}

async function openDatabase({ databaseUrl, dataDir }: Settings): Promise<void> {
  if (databaseUrl === undefined) await dataFolder(dataDir);
  const store = await openStore<Tables>({
    ...(databaseUrl !== undefined && { url: databaseUrl }),
    dataDir,
    app: 'sveda',
    migrations,
  });
  await store.close();
}
