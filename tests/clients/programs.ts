import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client as V2Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { freePort } from '@portolan/process/testing';
import { root } from '../workspace.ts';
import type { Client, Occasion } from './client.ts';
import { gotBy } from './sdks.ts';

const installed = (name: string) => join(root, 'node_modules/.bin', name);

/** A program that has not answered until then never will. */
const PATIENCE_MS = 120_000;

/** What a program finds around it: a home of its own, the person's browser, and nothing of ours. */
const environment = ({ folder, person }: Occasion) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  BROWSER: person.browser,
});

/** The Inspector on a command line. It signs in at its first command, and finds that in its store at the second. */
export function inspector(era: 'legacy' | 'auto' | 'modern', document?: string): Client {
  return {
    name: `Inspector CLI, ${era}${document ? ', with a document' : ''}`,
    from: '@modelcontextprotocol/inspector',
    async use(occasion) {
      const { endpoint, tool, input } = occasion;
      const env = {
        ...environment(occasion),
        MCP_AUTO_OPEN_ENABLED: 'true',
        MCP_INSPECTOR_SECRET_STORE: 'file',
      };
      const always = ['--cli', endpoint, '--transport', 'http', '--protocol-era', era, '--format', 'json'];
      // With a document, the Inspector names the port that it is told, and 0 would be taken at its word.
      const port = document === undefined ? 0 : await freePort();
      const login = ['--callback-url', `http://127.0.0.1:${port}/oauth/callback`, '--connect-timeout', '0'];
      const known = document === undefined ? [] : ['--client-metadata-url', document];
      const ask = async (...more: string[]) => {
        const args = [installed('mcp-inspector'), ...always, ...login, ...known, ...more];
        const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: PATIENCE_MS });
        return (JSON.parse(stdout) as { result: Listed & Called }).result;
      };
      const { tools } = await ask('--method', 'tools/list');
      const called = ['--tool-name', tool, '--tool-args-json', JSON.stringify(input)];
      const { structuredContent } = await ask('--method', 'tools/call', ...called);
      return { listed: tools.map(({ name }) => name), answered: structuredContent };
    },
  };
}

interface Listed {
  readonly tools: readonly { readonly name: string }[];
}

interface Called {
  readonly structuredContent?: unknown;
}

/** mcp-remote, which makes a server over HTTP one over stdio, behind the client of SDK v2. */
export const mcpRemote: Client = {
  name: 'mcp-remote',
  from: 'mcp-remote',
  async use(occasion) {
    const { endpoint, folder } = occasion;
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [installed('mcp-remote'), endpoint, '--allow-http', '--transport', 'http-only'],
      env: { ...environment(occasion), MCP_REMOTE_CONFIG_DIR: join(folder, 'mcp-remote') },
      stderr: 'ignore',
    });
    const client = new V2Client({ name: 'behind mcp-remote', version: '1.0.0' });
    await client.connect(transport, { timeout: PATIENCE_MS });
    return gotBy(client, occasion);
  },
};
