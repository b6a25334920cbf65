import { faultLine, type Fault } from '@portolan/cli';
import { Misconfigured } from '@portolan/mcp/tool';
import { openRoutes } from '../agents/routes.ts';
import type { ProjectFolder } from '../project/folder.ts';
import { identityDigest, readIdentity, safeName } from '../project/identity.ts';
import { analystGrants, readYaml } from '../project/open.ts';
import { surroundings } from './surroundings.ts';
import type { Terminal } from './terminal.ts';

/** What `saivage check --json` prints. */
export interface CheckReport {
  readonly ok: boolean;
  readonly faults: readonly Fault[];
  readonly project?: { readonly root: string; readonly name: string; readonly projectIdentityDigest: string };
  /** The configured Analyst and its operations, in the configured order. */
  readonly analyst?: { readonly agent: string; readonly tools: readonly string[] };
}

/** `saivage check`: true when a server could start with this configuration. Opens and writes nothing. */
export function check(
  folder: ProjectFolder,
  { json }: { readonly json?: true },
  terminal: Terminal,
): boolean {
  const report = reportOn(folder, terminal);
  const { print } = terminal;
  if (json) print(JSON.stringify(report));
  else for (const line of linesOf(report)) print(line);
  return report.ok;
}

function reportOn(folder: ProjectFolder, { environment }: Terminal): CheckReport {
  try {
    const identity = readIdentity(folder.identity);
    const reading = readYaml(folder, surroundings(environment));
    const project = {
      root: folder.root,
      name: safeName(identity),
      projectIdentityDigest: identityDigest(identity),
    };
    if ('faults' in reading) return { ok: false, faults: reading.faults, project };
    const { configuration } = reading;
    openRoutes(configuration, folder.root);
    const analyst = { agent: configuration.analyst_agent, tools: analystGrants(configuration) };
    return { ok: true, faults: [], project, analyst };
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error;
    return { ok: false, faults: [{ line: 1, column: 1, path: '', message: error.message }] };
  }
}

function linesOf({ ok, faults, project, analyst }: CheckReport): string[] {
  if (!ok) return faults.map((fault) => faultLine('saivage.yaml', fault));
  return [
    `The configuration of ${project?.root} is in order.`,
    `The Analyst is ${analyst?.agent}: ${analyst?.tools.join(', ')}`,
  ];
}
