import { createLog } from '@portolan/http';
import { scripted, type Script } from '@portolan/mcp/connect/testing';
import { onTestFinished } from 'vitest';
import type { Connections } from '../connections/connections.ts';
import type { McpServer } from '../connections/definition.ts';
import { BUDGETS, openConnections, type ConnectionsOptions } from '../connections/open.ts';
import type { ProjectFolder } from '../project/folder.ts';
import { folderOfTest, makeProject } from './project.ts';

/** Connections to real servers, for one test that they do not outlive. */
export interface RealConnections {
  readonly connections: Connections;
  readonly folder: ProjectFolder;
  /** What the log said, line by line. */
  readonly logged: () => readonly string[];
}

/** What a test may want otherwise. */
export interface RealOptions {
  /** Servers of saivage.yaml. */
  readonly servers?: Readonly<Record<string, McpServer>>;
  readonly folder?: ProjectFolder;
  readonly environment?: ConnectionsOptions['environment'];
  readonly budgets?: Partial<Record<keyof typeof BUDGETS, number>>;
  readonly isOurs?: ConnectionsOptions['isOurs'];
}

export function openReal(options: RealOptions = {}): RealConnections {
  const { servers = {}, folder = makeProject(folderOfTest()), isOurs = () => false } = options;
  const lines: string[] = [];
  const connections = openConnections({
    folder,
    servers,
    environment: options.environment ?? { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    isOurs,
    log: createLog({ name: 'saivage', destination: { write: (line: string) => void lines.push(line) } }),
    now: () => new Date(),
    budgets: { ...BUDGETS, ...options.budgets },
  });
  onTestFinished(() => connections.close());
  return { connections, folder, logged: () => lines };
}

/** A definition of the scripted server, as an agent would write it. */
export function scriptedServer(script: Script = {}) {
  const { transport, command, args } = scripted(script);
  return { transport, command, args };
}

/** The same behind a shell, which runs `before` first and does not hand its stdin on by itself. */
export function wrappedServer(script: Script = {}, before = ':') {
  const { transport, command, args } = scriptedServer(script);
  return {
    transport,
    command: 'sh',
    args: ['-c', `exec 3<&0; ${before}; "$0" "$@" <&3 & wait`, command, ...args],
  };
}
