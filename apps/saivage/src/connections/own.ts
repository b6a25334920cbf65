import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Addresses that stand for all addresses of this machine. */
const WILDCARDS = ['0.0.0.0', '::'];

/** True where a listener with one of these URLs may be what takes connections to this address. */
export function isOwnListener(origins: readonly string[], address: string, port: number): boolean {
  return origins.some((origin) => {
    const { hostname, port: its } = new URL(origin);
    const host = hostname.replace(/^\[|\]$/g, '');
    const isOne = isIP(host) !== 0 && !WILDCARDS.includes(host);
    return Number(its || 80) === port && (isOne ? host === address : isHere(address));
  });
}

function isHere(address: string): boolean {
  const here = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return address.startsWith('127.') || here.some((entry) => entry.address === address);
}
