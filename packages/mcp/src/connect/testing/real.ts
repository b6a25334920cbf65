import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { processScopes } from '@portolan/process';
import { freePort } from '@portolan/process/testing';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Definition, HttpDefinition, StdioDefinition } from '../definition.ts';

const { resolve } = createRequire(import.meta.url);

/** A folder that stands for the managed project, and the one root that names it. Gone after the test. */
export function openProject() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'portolan-project-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, roots: [{ uri: pathToFileURL(folder).href, name: 'project' }] };
}

/** A server of the reference servers of MCP, as npm delivers it, over stdio. */
export function reference(name: string, args: readonly string[], cwd: string, env = {}): StdioDefinition {
  const script = resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
  const room = { cwd, env: { PATH: '/usr/bin:/bin', ...env } };
  return { transport: 'stdio', command: process.execPath, args: [script, ...args], ...room };
}

/** Runs the server `everything` over Streamable HTTP while `work` is done. */
export async function everythingOverHttp(work: (definition: HttpDefinition) => Promise<void>): Promise<void> {
  const port = await freePort();
  const scopes = await processScopes();
  const scope = await scopes.start(reference('everything', ['streamableHttp'], '/', { PORT: String(port) }));
  try {
    scope.stdout.resume();
    for await (const chunk of scope.stderr) if (String(chunk).includes('listening')) break;
    await work({ transport: 'streamable-http', url: new URL(`http://127.0.0.1:${port}/mcp`) });
  } finally {
    await scope.end({ grace: 0 });
  }
}

/** All tools of a server as the official client lists them. `roots` are offered where they are given. */
export async function officialList(definition: Definition, roots?: readonly { uri: string; name: string }[]) {
  const capabilities = roots ? { roots: { listChanged: false } } : {};
  const client = new Client({ name: 'official', version: '1' }, { capabilities });
  if (roots) client.setRequestHandler('roots/list', () => ({ roots: [...roots] }));
  await client.connect(officialTransport(definition));
  try {
    // Without a cursor it reads all pages.
    return (await client.listTools()).tools;
  } finally {
    await client.close();
  }
}

function officialTransport(definition: Definition): Transport {
  if (definition.transport !== 'stdio') return new StreamableHTTPClientTransport(definition.url);
  const { command, args, env, cwd } = definition;
  return new StdioClientTransport({ command, args: [...args], env: { ...env }, cwd, stderr: 'ignore' });
}
