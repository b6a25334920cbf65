import { processScopes } from '@portolan/process';
import { freePort } from '@portolan/process/testing';
import { createRequire } from 'node:module';

/** An MCP server as its client is told of it. */
export type Server =
  | { readonly transport: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly transport: 'streamable-http'; readonly url: string };

/** What the servers and the programs between get of our environment. */
export const environment = { PATH: '/usr/local/bin:/usr/bin:/bin' } as const;

/** The reference servers, by name. */
export const kinds = ['everything', 'filesystem', 'memory', 'sequential-thinking'] as const;

/** A reference server as a process. */
export function onStdio(kind: (typeof kinds)[number]): Server & { readonly transport: 'stdio' } {
  const script = createRequire(import.meta.url).resolve(`@modelcontextprotocol/server-${kind}/dist/index.js`);
  const words = { everything: ['stdio'], filesystem: ['/usr/share'], memory: [], 'sequential-thinking': [] };
  return { transport: 'stdio', command: process.execPath, args: [script, ...words[kind]] };
}

/** The server `everything` over Streamable HTTP, running. */
export async function overHttp(): Promise<{
  readonly server: Server & { readonly transport: 'streamable-http' };
  end(): Promise<unknown>;
}> {
  const { command, args } = onStdio('everything');
  const port = await freePort();
  const scopes = await processScopes();
  const scope = await scopes.start({
    command,
    args: [...args.slice(0, -1), 'streamableHttp'],
    cwd: '/',
    env: { ...environment, PORT: String(port) },
  });
  scope.stdout.resume();
  for await (const chunk of scope.stderr.iterator({ destroyOnReturn: false }))
    if (String(chunk).includes('listening')) break;
  scope.stderr.resume();
  const url = `http://127.0.0.1:${port}/mcp`;
  return { server: { transport: 'streamable-http', url }, end: () => scope.end({ grace: 0 }) };
}
