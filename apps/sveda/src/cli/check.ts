import { openStore } from '@portolan/store';
import { readSettings, type Settings } from '../config/settings.ts';
import { migrations } from '../migrations.ts';
import type { Tables } from '../tables.ts';
import type { Terminal } from './program.ts';

/** `sveda check`: true when `serve` could start here. The database is opened as `serve` opens it, migrations included. */
export async function check({ environment, print, complain }: Terminal): Promise<boolean> {
  try {
    const settings = readSettings(environment);
    await openDatabase(settings);
    const providers = settings.configuration.models.map(({ provider }) => provider);
    print(
      `No fault found. Models: ${providers.join(', ')}. Minting needs ${settings.hostKey ? 'the host key' : 'to come from this machine'}.`,
    );
    return true;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'Misconfigured') throw error;
    complain(`fault: ${error.message}`);
    return false;
  }
}

async function openDatabase({ databaseUrl, dataDir }: Settings): Promise<void> {
  const store = await openStore<Tables>({
    ...(databaseUrl !== undefined && { url: databaseUrl }),
    dataDir,
    app: 'sveda',
    migrations,
  });
  await store.close();
}
