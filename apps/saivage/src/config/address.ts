import { isIPv4 } from 'node:net';
import { Misconfigured } from '@portolan/mcp/tool';
import type { Configuration } from './schema.ts';
import type { Secrets } from './secrets.ts';

/** Where the operator API listens. */
export interface OperatorAddress {
  readonly host: string;
  readonly port: number;
  /** Names under which it may be called; undefined where the API token guards it. */
  readonly hosts: readonly string[] | undefined;
}

/**
 * Chooses the operator's address: flag, else configuration. Without an API token only loopback will do, and then
 * only under its own names, so that no web page reaches it through a name of its own.
 */
export function operatorAddress(
  flags: { readonly host?: string; readonly port?: number },
  { server }: Configuration,
  secrets: Secrets,
): OperatorAddress {
  const host = flags.host ?? server.host;
  const port = flags.port ?? server.port;
  if (secrets.api) return { host, port, hosts: undefined };
  if (!isLoopback(host)) {
    throw new Misconfigured(`Without SAIVAGE_API_TOKEN the server binds loopback only, not ${host}.`);
  }
  return { host, port, hosts: ['127.0.0.1', 'localhost', '[::1]', host] };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
