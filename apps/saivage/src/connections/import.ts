import { UsageError } from '@portolan/cli';
import { z } from 'zod';
import { readEntry, type Written } from './client-entry.ts';
import { baseVariables } from './definition.ts';

/** What a client's `mcpServers` block becomes in saivage.yaml. */
export interface Import {
  readonly servers: Readonly<Record<string, Written>>;
  /** Variables that the servers now name and that the environment must hold. */
  readonly variables: readonly string[];
  /** Keys that saivage.yaml has no place for, by server. */
  readonly dropped: readonly { readonly name: string; readonly keys: readonly string[] }[];
  /** Servers that saivage.yaml cannot hold, and why. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}

interface Named {
  readonly name: string;
  readonly server: Written;
}

/** Not a record, from which a server of an impossible name would be gone without a word. */
const Servers = z.custom<Readonly<Record<string, unknown>>>(
  (sent) => typeof sent === 'object' && sent !== null && !Array.isArray(sent),
);
const Block = z.looseObject({ mcpServers: Servers });

/**
 * Reads the JSON that desktop clients and editors write. Values of `env` become references to variables. Throws
 * `UsageError` when there is no `mcpServers` block.
 */
export function importServers(text: string): Import {
  const entries = Object.entries(blockOf(text)).map(([name, sent]) => ({ name, ...readEntry(name, sent) }));
  const taken = entries.flatMap((entry) => ('server' in entry ? [entry] : []));
  const variableOf = nameVariables(taken);
  const variables = taken.flatMap((one) => secretsOf(one.server).map(([key]) => variableOf(one.name, key)));
  return {
    servers: Object.fromEntries(taken.map((one) => [one.name, referring(one, variableOf)])),
    variables: [...new Set(variables)],
    dropped: taken.flatMap(({ name, dropped: keys }) => (keys.length > 0 ? [{ name, keys }] : [])),
    refused: entries.flatMap((entry) =>
      'reason' in entry ? [{ name: entry.name, reason: entry.reason }] : [],
    ),
  };
}

function blockOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Block.parse(JSON.parse(text)).mcpServers;
  } catch {
    throw new UsageError('The file is no JSON object with a block `mcpServers`.');
  }
}

type VariableOf = (name: string, key: string) => string;

/** A value's variable is its key, with the server's name before it where two servers give the key two values. */
function nameVariables(taken: readonly Named[]): VariableOf {
  const values = new Map<string, Set<string>>();
  for (const [key, value] of taken.flatMap(({ server }) => secretsOf(server))) {
    values.set(key, (values.get(key) ?? new Set()).add(value));
  }
  return (name, key) =>
    values.get(key)?.size === 1 ? key : `${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_${key}`;
}

/** What a process is given anyway, like PATH, is no secret, and its value here is meant. */
function secretsOf(server: Written): [key: string, value: string][] {
  const env = server.transport === 'stdio' ? server.env : undefined;
  return Object.entries(env ?? {}).filter(([key]) => !baseVariables.some((name) => name === key));
}

function referring({ name, server }: Named, variableOf: VariableOf): Written {
  if (server.transport !== 'stdio' || !server.env) return server;
  const references = secretsOf(server).map(([key]) => [key, `\${${variableOf(name, key)}}`]);
  return { ...server, env: { ...server.env, ...Object.fromEntries(references) } };
}
