import { dataFolder } from '@portolan/cli';
import { announceNode, createLog, onStop } from '@portolan/http';
import { Misconfigured } from '@portolan/mcp/tool';
import { processIdentity } from '@portolan/process';
import type { Settings } from '../config/settings.ts';
import { isLoopback } from '../embed/door.ts';
import { startServer, type Address } from '../server.ts';

/**
 * `sveda serve`: opens everything, says where it is, reads sveda.yaml again at SIGHUP, and ends everything at SIGTERM or
 * SIGINT.
 */
export async function serve(settings: Settings, address: Address): Promise<void> {
  if (!isLoopback(address.host) && settings.hostKey === undefined)
    throw new Misconfigured('To listen beyond this machine, set SVEDA_EMBED_HOST_API_KEY.');
  await dataFolder(settings.dataDir);
  const log = createLog({ name: 'sveda' });
  const server = await startServer(settings, address, log);
  const announced = announceNode({
    folder: settings.dataDir,
    origin: server.origin,
    identify: processIdentity,
    log,
  });
  process.on('SIGHUP', () => {
    const result = server.reload();
    if (result.reloaded) log.info('configuration reloaded');
    else log.error({ fault: result.fault }, 'configuration kept: the new one is at fault');
  });
  onStop(async () => {
    await (
      await announced
    )();
    await server.close();
  }, log);
  await announced;
  log.info({ origin: server.origin }, 'ready');
}
