import { networkInterfaces } from 'node:os';
import type { ServerState } from '../project/endpoint.ts';

/** Hosts that stand for more than one address of this machine. */
const MANY = ['0.0.0.0', '[::]', 'localhost'];

/** Tells the listeners of a project's running server: no definition may lead there. */
export function ownListeners(state: ServerState): (address: string, port: number) => boolean {
  const origins = state.state === 'running' ? [state.origin, state.analystUrl ?? state.origin] : [];
  return (address, port) => isOwnListener(origins, address, port);
}

/** True where a listener with one of these URLs takes connections to this address. */
export function isOwnListener(origins: readonly string[], address: string, port: number): boolean {
  return origins
    .map((origin) => new URL(origin))
    .some(
      ({ hostname, port: its }) =>
        its === String(port) &&
        (MANY.includes(hostname) ? isHere(address) : hostname.replace(/^\[|\]$/g, '') === address),
    );
}

function isHere(address: string): boolean {
  const here = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return address.startsWith('127.') || here.some((entry) => entry.address === address);
}
