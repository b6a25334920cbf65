import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { living } from '@portolan/process/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { everything, napOfTest } from '../../testing/outward.ts';
import { callOf, goodRequest } from '../../testing/requests.ts';
import { apiToken, openTestServer, type TestServer } from '../../testing/server.ts';
import { exchange, headBytes, open } from '../../testing/wire.ts';

const tools = [
  'run_command',
  'list_processes_tool',
  'wait_process',
  'kill_process',
  'mcp_server_control',
  'mcp_server_list',
];
const agents = { analyst: { tools } };
const PATIENT = { timeout: 60_000 };

async function serverOfTest(mcpServers: object = {}) {
  const server = await openTestServer({ tools, yaml: JSON.stringify({ agents, mcpServers }) });
  onTestFinished(() => server.close());
  return server;
}

function bytesOf(server: TestServer, tool: string, args: object): string {
  const request = goodRequest(server, callOf(tool, args));
  return `${headBytes(request)}${request.body}`;
}

/** The envelope that a call answers. */
async function callTool(
  server: TestServer,
  tool: string,
  args: object,
): Promise<{ data: Record<string, unknown> }> {
  const { body } = await exchange(server.analystPort, bytesOf(server, tool, args));
  return (JSON.parse(body) as { result: { structuredContent: { data: Record<string, unknown> } } }).result
    .structuredContent;
}

describe('commands of an external caller', () => {
  it('SAI-14.7 SAI-25.4 go on when the caller has dropped the connection', async () => {
    const server = await serverOfTest();
    const done = join(server.folder.root, 'done');
    const dropped = await open(server.analystPort);
    dropped.write(
      bytesOf(server, 'run_command', { command: 'until [ -e go ]; do sleep 0.05; done; touch done' }),
    );
    await expect
      .poll(async () => (await callTool(server, 'list_processes_tool', { status: 'running' })).data.processes)
      .toMatchObject([{ status: 'running', started_by: 'local-operator' }]);
    dropped.destroy();
    await callTool(server, 'run_command', { command: 'touch go' });
    await expect.poll(() => existsSync(done), PATIENT).toBe(true);
  });

  it('SAI-46.1 never reach the process of an MCP server, or one that Saivage did not start', async () => {
    const mark = napOfTest();
    const stranger = spawn('sleep', ['600']);
    onTestFinished(() => void stranger.kill('SIGKILL'));
    const server = await serverOfTest({ peer: everything(mark) });
    await callTool(server, 'mcp_server_control', { serverName: 'peer', action: 'start' });
    const response = await fetch(`${server.origin}/api/mcp/tools`, {
      headers: { authorization: `Bearer ${apiToken}` },
    });
    const [peer] = ((await response.json()) as { servers: { processId: number }[] }).servers;
    const pid = String(peer?.processId);
    for (const tool of ['kill_process', 'wait_process']) {
      expect(await callTool(server, tool, { process_id: pid })).toMatchObject({
        success: false,
        error: { code: 'mcp_process', message: expect.stringContaining('"peer"') },
      });
      for (const foreign of [String(stranger.pid), String(process.pid), '1'])
        expect(await callTool(server, tool, { process_id: foreign })).toMatchObject({
          success: false,
          error: { code: 'unknown_command' },
        });
    }
    expect(living(mark).length).toBeGreaterThan(0);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    expect((await callTool(server, 'list_processes_tool', {})).data).toEqual({ processes: [] });
  });
});
