import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * True for an address of the open internet: global unicast that no registry sets aside. An IPv4 address in IPv6 dress is judged
 * as the IPv4 address that it is; those that a translator would turn into IPv4 (NAT64, 6to4, Teredo) are never public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const plain = ipaddr.process(address);
  if (plain.range() !== 'unicast') return false;
  return plain instanceof ipaddr.IPv4 || plain.match(GLOBAL_UNICAST);
}

/** The one block from which global IPv6 addresses are given out (RFC 4291 §2.4): what lies outside has no registry's word. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** All addresses of a name, as the system knows them. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;
