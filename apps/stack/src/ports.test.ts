import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { reservePorts, wantedPorts } from './ports.ts';

describe('wanted ports', () => {
  const usual = { A_PORT: 8088, B_PORT: 8080, C_PORT: 8082 };

  it('are the usual ones unless a variable names another', () => {
    expect(wantedPorts(usual, { B_PORT: '9000', C_PORT: '0', A_PORT: '' })).toEqual({
      A_PORT: 8088,
      B_PORT: 9000,
      C_PORT: 0,
    });
  });

  it('are refused with every fault at once', () => {
    const read = () => wantedPorts(usual, { A_PORT: '65536', B_PORT: '080', C_PORT: '8082' });
    expect(read).toThrow('A_PORT must be a port, 0 to 65535.\nB_PORT must be a port, 0 to 65535.');
  });
});

describe('reserved ports', () => {
  it('are free, different, and below those of outgoing connections where any will do', async () => {
    const ports = Object.values(await reservePorts({ A: 0, B: 0, C: 0, D: 0 }));
    expect(new Set(ports).size).toBe(4);
    for (const port of ports) {
      expect(port).toBeGreaterThan(10_080);
      expect(port).toBeLessThan(32_768);
      const server = createServer().listen(port, '127.0.0.1');
      await once(server, 'listening');
      server.close();
    }
  });

  it('say which variable to change when one is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(reservePorts({ A_PORT: 0, B_PORT: port })).rejects.toMatchObject({
      code: 75,
      message: `Port ${port} is in use by another program. Set B_PORT to another port, or to 0 for a free one.`,
    });
    server.close();
  });
});
