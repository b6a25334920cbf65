import { networkInterfaces } from 'node:os';
import type { ServerState } from '../project/endpoint.ts';

/** Hosts that stand for more than one address of this machine. */
const MANY = ['0.0.0.0', '[::]', 'localhost'];

/** Tells the listeners of a project's running server: no definition may lead there. */
export function ownListeners(state: ServerState): (address: string, port: number) => boolean {
  if (state.state !== 'running') return () => false;
  const own = [state.origin, state.analystUrl ?? state.origin].map((url) => new URL(url));
  return (address, port) =>
    own.some(
      ({ hostname, port: its }) =>
        its === String(port) &&
        (MANY.includes(hostname) ? isHere(address) : hostname.replace(/^\[|\]$/g, '') === address),
    );
}

function isHere(address: string): boolean {
  const here = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return address.startsWith('127.') || here.some((entry) => entry.address === address);
}
