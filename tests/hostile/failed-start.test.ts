import { createLog } from '@portolan/http';
import { openConnections, projectFolder } from '@portolan/saivage/connections';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const SECRET = 'hunter2-hunter2';
let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'portolan-start-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A project with one server that says why it cannot start, with a secret in it, and what the operator's log then holds. */
function failing() {
  const lines: string[] = [];
  const script = `process.stderr.write('x'.repeat(20_000) + ' cannot log in as ' + process.env.TOKEN + ': bad key'); setTimeout(() => process.exit(3), 50)`;
  const connections = openConnections({
    folder: projectFolder(root),
    servers: {
      shy: {
        transport: 'stdio',
        command: process.execPath,
        args: ['-e', script],
        env: { TOKEN: SECRET },
        autostart: true,
        disabled: false,
      },
    },
    environment: { PATH: '/usr/bin:/bin' },
    isOurs: () => false,
    log: createLog({ name: 'test', destination: { write: (line) => void lines.push(line) } }),
    now: () => new Date(),
  });
  return { connections, lines };
}

/** Everything that was kept on the disk. */
function kept(): string {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

it('SAI-32.6 a failed start tells the end of stderr to the log of the operator alone, redacted', async () => {
  const { connections, lines } = failing();
  const error: unknown = await connections.start('shy').catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'peer_exited',
    phase: 'initialize',
    message: expect.stringContaining('with exit code 3'),
  });

  expect(lines).toHaveLength(1);
  const { level, mcpServer, phase, stderr } = JSON.parse(lines[0] ?? '') as Record<string, string>;
  expect({ level, mcpServer, phase }).toEqual({ level: 'warn', mcpServer: 'shy', phase: 'initialize' });
  expect(stderr).toHaveLength(8 * 1024);
  expect(stderr).toMatch(/^x+ cannot log in as \[redacted\]: bad key$/);

  await connections.autostart();
  const told = [error, connections.list(), connections.view('shy'), connections.readiness()];
  expect(connections.readiness()).toMatchObject({
    ready: false,
    servers: [{ serverName: 'shy', status: 'failed', phase: 'initialize' }],
  });
  const all = JSON.stringify(told) + String(error) + kept();
  expect(all).not.toContain('bad key');
  expect(all + lines.join('')).not.toContain(SECRET);
  await connections.close();
});
