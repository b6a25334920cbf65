import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ServerName } from '../config/schema.ts';
import type { ProjectFolder } from '../project/folder.ts';
import { readState, writeState } from '../project/state.ts';
import type { McpServer } from './definition.ts';

/** How long a peer is taken to speak the revision that it has asked for, in milliseconds, and how many are. */
const LIMITS = { age: 24 * 3_600_000, verdicts: 1_000 } as const;

const File = z.record(ServerName, z.strictObject({ definition: z.string(), at: z.iso.datetime() }));
/** When which servers have asked for the newest revision, each as it was defined then. */
export type KeptVerdicts = z.output<typeof File>;

/** Which servers speak the newest revision. */
export interface Verdicts {
  /** True for a server that has asked for it less than a day ago, as it is defined now. */
  holds(serverName: string, server: McpServer): boolean;
  /** Notes whether a server speaks it. What holds already keeps its date. */
  note(serverName: string, server: McpServer, isNewest: boolean): void;
}

/** The verdicts over what was kept of them; `keep` gets all of them after each change. */
export function newVerdicts(
  first: KeptVerdicts,
  keep: (verdicts: KeptVerdicts) => void,
  now: () => Date,
): Verdicts {
  let kept = first;
  const isYoung = ({ at }: { readonly at: string }) => {
    const age = now().getTime() - Date.parse(at);
    return age >= 0 && age < LIMITS.age;
  };
  const holds = (serverName: string, server: McpServer) => {
    const verdict = kept[serverName];
    return verdict !== undefined && isYoung(verdict) && verdict.definition === digestOf(server);
  };
  return {
    holds,
    note(serverName, server, isNewest) {
      if (holds(serverName, server) === isNewest) return;
      const others = Object.entries(kept).filter(([name, one]) => name !== serverName && isYoung(one));
      const own = { definition: digestOf(server), at: now().toISOString() };
      const all = isNewest ? [...others, [serverName, own] as const] : others;
      kept = Object.fromEntries(all.slice(-LIMITS.verdicts));
      keep(kept);
    },
  };
}

/** What was kept of a project's verdicts. A file that cannot be read is none: then a server is asked once more. */
export function readVerdicts(folder: ProjectFolder): KeptVerdicts {
  const state = readState(verdictsFile(folder), File);
  return state.found === 'value' ? state.value : {};
}

/** Keeps the verdicts of a project, whole or not at all. */
export function writeVerdicts(folder: ProjectFolder, verdicts: KeptVerdicts): void {
  mkdirSync(folder.config, { recursive: true, mode: 0o700 });
  writeState(verdictsFile(folder), verdicts);
}

function verdictsFile({ config }: ProjectFolder): string {
  return join(config, 'mcp-revisions.json');
}

/** What makes a server another one. Its environment stays out: secrets belong in no file, not even as digests. */
function digestOf(server: McpServer): string {
  const { transport } = server;
  const where = transport === 'stdio' ? [server.command, ...(server.args ?? [])] : [server.url];
  return createHash('sha256')
    .update(JSON.stringify([transport, ...where]))
    .digest('hex');
}
