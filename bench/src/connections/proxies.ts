import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { freePort } from '@portolan/process/testing';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closedWith, echoOver, scriptOf, throughProgram, type EchoCaller } from './program.ts';
import { environment, type Server } from './servers.ts';

/** mcp-hub as its manual says: the server in its configuration, and one endpoint for all clients (SSE). */
export async function throughHub(server: Server): Promise<EchoCaller> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-bench-'));
  const config = join(folder, 'servers.json');
  const { transport: _, ...definition } = server;
  await writeFile(config, JSON.stringify({ mcpServers: { peer: definition } }));
  const port = await freePort();
  const args = ['--port', String(port), '--config', config];
  const caller = await throughProgram('mcp-hub', args, folder, () => {
    return new SSEClientTransport(new URL(`http://127.0.0.1:${port}/mcp`));
  });
  return closedWith(caller, () => rm(folder, { recursive: true, force: true }));
}

/** mcp-proxy: the process of a server, spoken to over Streamable HTTP. */
export async function throughMcpProxy({
  command,
  args,
}: Server & { transport: 'stdio' }): Promise<EchoCaller> {
  const port = await freePort();
  const words = ['--host', '127.0.0.1', '--port', String(port), '--', command, ...args];
  return throughProgram('mcp-proxy', words, tmpdir(), () => {
    return new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`));
  });
}

/** supergateway: a process spoken to over Streamable HTTP, with one process a session instead of one a request. */
export async function throughGateway({
  command,
  args,
}: Server & { transport: 'stdio' }): Promise<EchoCaller> {
  const port = await freePort();
  const words = [
    '--stdio',
    [command, ...args].join(' '),
    '--outputTransport',
    'streamableHttp',
    '--stateful',
  ];
  return throughProgram('supergateway', [...words, '--port', String(port)], tmpdir(), () => {
    return new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`));
  });
}

/** supergateway the other way: a server over HTTP, spoken to as a process. */
export async function throughGatewayToHttp({
  url,
}: Server & { transport: 'streamable-http' }): Promise<EchoCaller> {
  const args = [scriptOf('supergateway'), '--streamableHttp', url, '--logLevel', 'none'];
  const room = { command: process.execPath, env: environment, cwd: tmpdir(), stderr: 'ignore' } as const;
  return echoOver(() => new StdioClientTransport({ ...room, args }));
}
