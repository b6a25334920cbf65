import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Misconfigured } from '@portolan/mcp/tool';
import { z } from 'zod';
import { McpConnection, ServerName } from '../config/schema.ts';
import type { ProjectFolder } from '../project/folder.ts';
import { readState, writeState } from '../project/state.ts';
import { requireTrustedWriters } from '../project/writers.ts';

/** The version of the file that this program writes, and the only one that it reads. */
const FORMAT_VERSION = 1;

/** As many definitions as agents may keep, and as large as one may be, in characters of JSON. */
export const DYNAMIC_LIMITS = { servers: 256, definition: 64 * 1024 } as const;

const Versioned = z.looseObject({ format_version: z.unknown() });

const File = z.strictObject({
  format_version: z.literal(FORMAT_VERSION),
  servers: z.record(ServerName, McpConnection),
});

/** Definitions by name. Every value is meant as it stands: `${` is no variable here. */
export type DynamicServers = Readonly<Record<string, McpConnection>>;

/** Where the definitions of agents are kept. */
export function dynamicFile({ config }: ProjectFolder): string {
  return join(config, 'mcp-servers.json');
}

/** Reads the definitions of agents. Throws `Misconfigured` for a file that is damaged, of another version, or anybody's. */
export function readDynamic(folder: ProjectFolder): DynamicServers {
  const file = dynamicFile(folder);
  const versioned = readState(file, Versioned);
  if (versioned.found === 'nothing') return {};
  requireTrustedWriters(file);
  if (versioned.found === 'value' && versioned.value.format_version !== FORMAT_VERSION) {
    throw new Misconfigured(`${file} is of a version that this release of Saivage does not know.`);
  }
  const state = readState(file, File);
  if (state.found === 'value') return state.value.servers;
  const reason = state.found === 'something else' ? state.reason : 'it has just gone';
  throw new Misconfigured(`${file} is damaged: ${reason}. Restore it from a backup, or move it away.`);
}

/** Writes all definitions of agents, whole or not at all, readable by the owner only. */
export function writeDynamic(folder: ProjectFolder, servers: DynamicServers): void {
  mkdirSync(folder.config, { recursive: true, mode: 0o700 });
  writeState(dynamicFile(folder), { format_version: FORMAT_VERSION, servers });
}
