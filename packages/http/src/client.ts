import { BlockList, isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';

/** Who is at the other end, and under which name it called us. */
export interface Client {
  readonly address: string;
  /** The Host as the client wrote it, in lower case; empty if there is none or more than one. */
  readonly host: string;
  readonly scheme: 'http' | 'https';
}

/** Says whether an address is one of these addresses or networks (`10.0.0.0/8`). Throws for anything else. */
export function addressIn(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) add(list, entry);
  return (address) => isIP(address) !== 0 && list.check(address, family(address));
}

/**
 * Reads the client of a request. Forwarded headers count only where the peer itself is a trusted proxy; the address is
 * then the last one that no trusted proxy vouches for.
 */
export function clientOf(trusted: (address: string) => boolean): (incoming: IncomingMessage) => Client {
  return (incoming) => {
    const peer = plain(incoming.socket.remoteAddress ?? '');
    const own: Client = { address: peer, host: soleHost(incoming), scheme: 'http' };
    if (!trusted(peer)) return own;
    const hops = listed(incoming.headers['x-forwarded-for']).map(plain);
    const host = listed(incoming.headers['x-forwarded-host']).at(-1);
    return {
      address: hops.findLast((hop) => !trusted(hop)) ?? hops[0] ?? peer,
      host: host?.toLowerCase() ?? own.host,
      scheme: listed(incoming.headers['x-forwarded-proto']).at(-1) === 'https' ? 'https' : 'http',
    };
  };
}

function add(list: BlockList, entry: string): void {
  const [address = '', bits] = entry.split('/');
  if (isIP(address) === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits)))
    throw new RangeError(`'${entry}' is neither an address nor a network like 10.0.0.0/8`);
  if (bits === undefined) list.addAddress(address, family(address));
  else list.addSubnet(address, Number(bits), family(address));
}

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** An IPv4 address in IPv6 dress, undressed. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

function listed(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function soleHost({ rawHeaders }: IncomingMessage): string {
  const hosts = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host');
  return hosts.length === 1 ? (hosts[0] ?? '').toLowerCase() : '';
}
