import { basename } from 'node:path';
import { dataFolder } from '@portolan/cli';
import { announceNode, createLog, onStop, type Logger } from '@portolan/http';
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
  const announced = announceServer(settings.dataDir, server.origin, log);
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

async function announceServer(folder: string, origin: string, log: Logger): Promise<() => Promise<void>> {
  const self = processIdentity();
  if (!self) throw new Error('This process has no identity.');
  const { pid, startTime } = self;
  const lives = (other: { pid: number; startTime: number }) =>
    processIdentity(other.pid)?.startTime === other.startTime;
  const { file, withdraw } = await announceNode(folder, { pid, startTime, origin }, lives);
  if (basename(file) !== 'endpoint.json')
    log.warn(
      { file },
      'endpoint.json is of another node of this data folder; this one says here where it is',
    );
  return withdraw;
}
