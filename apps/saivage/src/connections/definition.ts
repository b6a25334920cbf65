import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '@portolan/cli';
import type { Definition } from '@portolan/mcp/connect';
import type { Configuration, McpConnection } from '../config/schema.ts';

/** A server as saivage.yaml defines it, with `${NAME}` already expanded. */
export type McpServer = Configuration['mcpServers'][string];

/** A server and who has defined it: the operator in saivage.yaml, or an agent. */
export interface ServerDefinition {
  readonly source: 'yaml' | 'dynamic';
  readonly server: McpServer;
}

/** A definition by an agent: it is never disabled and never starts by itself. */
export function dynamicDefinition(connection: McpConnection): ServerDefinition {
  return { source: 'dynamic', server: { ...connection, autostart: false, disabled: false } };
}

/** All of Saivage's own environment that a child may see. What else it needs stands in its definition. */
export const baseVariables = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
] as const;

/** How the server is reached: a process works in the managed project and gets a small environment of its own. */
export function definitionOf(
  server: McpServer,
  { root, environment }: { readonly root: string; readonly environment: Environment },
): Definition {
  if (server.transport === 'streamable-http') {
    return { transport: 'streamable-http', url: new URL(server.url) };
  }
  const { transport, command, args = [], env } = server;
  return { transport, command, args, env: { ...baseOf(environment), ...env }, cwd: root };
}

/** The one root that a process may ask for at any time: the managed project. Over HTTP none is offered. */
export function rootsOf({ transport }: McpServer, root: string) {
  return transport === 'stdio' ? [{ uri: pathToFileURL(root).href, name: basename(root) }] : undefined;
}

/** What of Saivage's own environment a child may see. */
export function baseOf(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    baseVariables.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
