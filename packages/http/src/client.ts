import { BlockList, isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';

/** Who is at the other end, and under which name it called us. */
export interface Client {
  /** Empty where there is no socket. */
  readonly address: string;
  /** The Host that the client asked for, in lower case. */
  readonly host: string;
  readonly scheme: 'http' | 'https';
  /** True when a header says that a proxy stands between, trusted or not. */
  readonly forwarded: boolean;
}

/** The client of a request without a socket. */
export const nobody: Client = { address: '', host: '', scheme: 'http', forwarded: false };

/**
 * Reads the client of a request. Forwarded headers count only where the peer itself is one of the trusted addresses or
 * networks (`10.0.0.0/8`); the client is then the last address that no trusted proxy vouches for.
 */
export function clientReader(trustedProxies: readonly string[]): (incoming: IncomingMessage) => Client {
  const trusted = addressIn(trustedProxies);
  return (incoming) => {
    const { headers } = incoming;
    const address = plain(incoming.socket.remoteAddress ?? '');
    const host = (headers.host ?? '').toLowerCase();
    const forwarded = 'x-forwarded-for' in headers || 'forwarded' in headers;
    if (!trusted(address)) return { address, host, scheme: 'http', forwarded };
    const hops = listed(headers['x-forwarded-for']).map(plain);
    return {
      address: hops.findLast((hop) => !trusted(hop)) ?? hops[0] ?? address,
      host: listed(headers['x-forwarded-host']).at(-1)?.toLowerCase() ?? host,
      scheme: listed(headers['x-forwarded-proto']).at(-1) === 'https' ? 'https' : 'http',
      forwarded,
    };
  };
}

/** Says whether an address is one of these addresses or networks. Throws a RangeError for an entry that is neither. */
export function addressIn(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => false;
  const list = new BlockList();
  for (const entry of entries) add(list, entry);
  return (address) => isIP(address) !== 0 && list.check(address, family(address));
}

/** The part of an address that one subscriber holds: all of IPv4, the first 64 bits of IPv6. */
export function subscriber(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail = ''] = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname
    .slice(1, -1)
    .split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const [first, last] = [groups(head), groups(tail)];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}

function add(list: BlockList, entry: string): void {
  const [address = '', bits, ...rest] = entry.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  if (
    isIP(address) === 0 ||
    rest.length > 0 ||
    (bits !== undefined && !(/^\d+$/.test(bits) && Number(bits) <= most))
  )
    throw new RangeError(`'${entry}' is neither an address nor a network like 10.0.0.0/8`);
  list.addSubnet(address, Number(bits ?? most), family(address));
}

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** An IPv4 address in IPv6 dress, undressed. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

function listed(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
