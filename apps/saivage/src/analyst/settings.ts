import { UsageError } from '@portolan/cli';
import { Misconfigured } from '@portolan/mcp/tool';
import type { Secret, Secrets } from '../config/secrets.ts';

/** Who may use the Analyst's operations: the internal conversation, an external client, or both. */
export const analystModes = ['internal', 'external', 'both'] as const;
export type AnalystMode = (typeof analystModes)[number];

/** The four flags as they were typed. */
export interface AnalystFlags {
  readonly analystMode?: string;
  readonly analystMcpPort?: string;
  readonly analystMcpPrincipal?: string;
  readonly analystMcpTools?: string;
}

/** What the flags ask for: well-formed, not yet judged against the project. */
export interface AnalystRequest {
  readonly mode: Exclude<AnalystMode, 'internal'>;
  readonly port: number;
  /** Names the holder of the credential in receipts; it proves no person. */
  readonly principal: string;
  /** Exact names of operations, in the order given. */
  readonly tools: readonly string[];
}

/** How the external Analyst listener runs. Fixed for the life of the process. */
export interface AnalystSettings extends AnalystRequest {
  readonly token: Secret;
}

/** Reads the flags. Undefined is the internal mode. Throws `UsageError`. */
export function analystRequest(flags: AnalystFlags): AnalystRequest | undefined {
  const mode = readMode(flags.analystMode);
  if (mode === 'internal') return refuseUnused(flags);
  return {
    mode,
    port: readPort(flags.analystMcpPort),
    principal: readPrincipal(flags.analystMcpPrincipal),
    tools: readTools(flags.analystMcpTools),
  };
}

/**
 * Judges a request against the secrets and against what the Analyst is granted. Throws `UsageError` for an operation
 * that the Analyst has not, `Misconfigured` for a token that is missing or has no use.
 */
export function analystSettings(
  request: AnalystRequest | undefined,
  { analyst: token }: Secrets,
  granted: readonly string[],
): AnalystSettings | undefined {
  if (!request) {
    if (!token) return undefined;
    throw new Misconfigured('SAIVAGE_ANALYST_MCP_TOKEN is set, but the internal mode has no use for it.');
  }
  const unknown = request.tools.find((name) => !granted.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--analyst-mcp-tools: the Analyst has no operation ${JSON.stringify(unknown)}.`);
  }
  if (!token) throw new Misconfigured(`--analyst-mode ${request.mode} needs SAIVAGE_ANALYST_MCP_TOKEN.`);
  return { ...request, token };
}

function readMode(flag = 'internal'): AnalystMode {
  const mode = analystModes.find((one) => one === flag);
  if (!mode) throw new UsageError('--analyst-mode must be internal, external or both.');
  return mode;
}

function refuseUnused(flags: AnalystFlags): undefined {
  const unused = [
    flags.analystMcpPort !== undefined && '--analyst-mcp-port',
    flags.analystMcpPrincipal !== undefined && '--analyst-mcp-principal',
    flags.analystMcpTools !== undefined && '--analyst-mcp-tools',
  ].find((flag) => flag !== false);
  if (unused) throw new UsageError(`${unused} has no use in the internal mode.`);
}

function readPort(flag = ''): number {
  const port = /^[1-9][0-9]{0,4}$/.test(flag) ? Number(flag) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new UsageError('--analyst-mcp-port must be a port from 1 to 65535.');
}

function readPrincipal(flag = ''): string {
  if (/^[a-z][a-z0-9-]{0,62}$/.test(flag)) return flag;
  throw new UsageError(
    '--analyst-mcp-principal must be 1 to 63 lower-case letters, digits and hyphens, with a letter first.',
  );
}

function readTools(flag: string | undefined): readonly string[] {
  const names = flag?.split(',') ?? [];
  if (names.length === 0) throw new UsageError('--analyst-mcp-tools must name operations of the Analyst.');
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw new UsageError(`--analyst-mcp-tools names ${JSON.stringify(repeated)} twice.`);
  }
  return names;
}
