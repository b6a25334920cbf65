import { randomBytes } from 'node:crypto';

/**
 * A UUID of version 7 (RFC 9562 §5.7): 48 bits of time, then 74 random bits. Ids of different milliseconds sort by time, ids of
 * one millisecond in no order.
 *
 * @param now milliseconds since 1970
 */
export function newId(now: number, random: Uint8Array = randomBytes(10)): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.set(random, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
