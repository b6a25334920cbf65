import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { isOwnListener } from './own.ts';

it('SAI-42.2 knows its own listeners by every address of theirs, and no others', () => {
  const ours = (origin: string, address: string, port: number) => isOwnListener([origin], address, port);
  expect(ours('http://127.0.0.1:8080', '127.0.0.1', 8080)).toBe(true);
  expect(ours('http://127.0.0.1:8080', '127.0.0.1', 8081)).toBe(false);
  expect(ours('http://127.0.0.1:8080', '127.0.0.2', 8080)).toBe(false);
  expect(ours('http://[::1]:8080', '::1', 8080)).toBe(true);
  expect(ours('http://127.0.0.1:8092/mcp/analyst/0', '127.0.0.1', 8092)).toBe(true);
  expect(ours('http://127.0.0.1:80', '127.0.0.1', 80)).toBe(true);
  // Whatever a wildcard or a name stands for is an address of this machine.
  for (const host of ['0.0.0.0', '[::]', 'localhost', hostname()]) {
    expect(ours(`http://${host}:8080`, '127.0.0.1', 8080)).toBe(true);
    expect(ours(`http://${host}:8080`, '203.0.113.7', 8080)).toBe(false);
  }
});
