import { describe, expect, it } from 'vitest';
import { cutLines } from './lines.ts';
import { newConversation } from './conversation.ts';
import { callOf, connected, textOf } from './testing/opened.ts';
import { scripted } from './testing/peer.ts';

const MIB = 1024 * 1024;

describe('a frame', () => {
  it('SAI-37.2 SAI-38.10 may have 48 MiB', async () => {
    const connection = await connected(scripted());
    const text = textOf(await callOf(connection, 'sized', { bytes: 48 * MIB }));
    expect(text.length).toBeGreaterThan(48 * MIB - 200);
  });

  it('SAI-37.2 SAI-38.10 may not have one byte more', async () => {
    const connection = await connected(scripted());
    await expect(callOf(connection, 'sized', { bytes: 48 * MIB + 1 })).rejects.toMatchObject({
      code: 'answer_too_large',
      containment: { contained: true },
    });
  });

  it('SAI-37.3 is refused where its bytes are no UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","method":"'),
      Buffer.from([0xc3]),
      Buffer.from('"}\n'),
    ]);
    expect(newConversation().hear(bytes).fault?.message).toContain('a line is not UTF-8');
  });

  it('SAI-37.4 costs time in proportion to its bytes, however small its pieces', () => {
    const cost = (mib: number) => {
      const lines = cutLines();
      const piece = Buffer.alloc(64, 'x');
      const before = process.cpuUsage();
      for (let sent = 0; sent < mib * MIB; sent += piece.length) lines.push(piece);
      expect(lines.push(Buffer.from('\n'))).toHaveLength(1);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    cost(4);
    expect(cost(32)).toBeLessThan(8 * 4 * Math.max(cost(4), 5_000));
  });
});
