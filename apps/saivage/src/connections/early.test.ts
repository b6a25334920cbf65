import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { scriptedServer } from '../testing/connections.ts';
import { apiToken, openTestServer } from '../testing/server.ts';

const { command, args } = scriptedServer();
const behind = (script: string) => ({
  transport: 'stdio',
  command: 'sh',
  args: ['-c', `${script}; exec "$0" "$@"`, command, ...args],
});

const SOON = { timeout: 60_000, interval: 20 };

it('SAI-41 SAI-30.9 an early server that is awaited or has failed keeps Saivage from being ready, by name and phase', async () => {
  const mcpServers = {
    bad: { ...behind('test -f mended || exit 3'), autostart: true },
    slow: { ...behind('until test -f awake; do sleep 0.05; done'), autostart: true },
    good: { ...behind(':'), autostart: true },
    off: { ...behind('exit 3'), autostart: true, disabled: true },
    later: behind('exit 3'),
  };
  const server = await openTestServer({ mode: 'internal', yaml: JSON.stringify({ mcpServers }) });
  onTestFinished(() => server.close());
  const headers = { Authorization: `Bearer ${apiToken}`, 'Content-Type': 'application/json' };
  const ready = async () => {
    const response = await fetch(`${server.origin}/health/ready`);
    return { status: response.status, body: await response.json() };
  };
  const notReady = (servers: object[]) => ({
    status: 503,
    body: { status: 'not_ready', mcpServers: servers },
  });

  const bad = { serverName: 'bad', status: 'failed', code: 'peer_exited', phase: 'initialize' };
  const slow = { serverName: 'slow', status: 'starting' };
  await expect.poll(ready, SOON).toEqual(notReady([bad, slow]));

  // Everything else can be inspected, and works.
  expect((await fetch(`${server.origin}/health`)).status).toBe(200);
  const shown = await fetch(`${server.origin}/api/mcp/tools`, { headers });
  expect(await shown.json()).toMatchObject({
    servers: [
      { serverName: 'bad', status: 'error' },
      { serverName: 'good', status: 'running', toolCount: 12 },
      { serverName: 'later', status: 'stopped' },
      { serverName: 'off', status: 'stopped', disabled: true },
      { serverName: 'slow', status: 'starting' },
    ],
  });

  writeFileSync(join(server.folder.root, 'awake'), '');
  await expect.poll(ready, SOON).toEqual(notReady([bad]));
  // Nothing was tried again by itself; the operator does.
  writeFileSync(join(server.folder.root, 'mended'), '');
  expect(await ready()).toEqual(notReady([bad]));
  const started = await fetch(`${server.origin}/api/mcp/servers/bad/start`, {
    method: 'POST',
    headers,
    body: '{}',
  });
  expect(started.status).toBe(200);
  expect(await ready()).toEqual({ status: 200, body: { status: 'ready' } });
});
