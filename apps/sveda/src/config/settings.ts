import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { faultLine, readYaml, type Environment } from '@portolan/cli';
import { Misconfigured } from '@portolan/mcp/tool';
import { z } from 'zod';
import { SHORTEST_KEY } from '../embed/keys.ts';
import { Configuration } from './schema.ts';
import { takesVariables } from './tools-schema.ts';

/** Everything that `sveda serve` is told: the file and the environment. */
export interface Settings {
  readonly configuration: Configuration;
  /** Reads the file again. Throws Misconfigured with every fault at once. */
  readonly reread: () => Configuration;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly hostKey: string | undefined;
  readonly adminKey: string | undefined;
  /** Folder of the workspace that the code tools read. */
  readonly indexRoot: string | undefined;
  /** Addresses and networks of proxies whose word about the client counts. */
  readonly trustedProxies: readonly string[];
  /** Secrets of the app, the newest first; undefined makes one in the data folder. */
  readonly appKeys: readonly [string, ...string[]] | undefined;
}

/** The variables that Sveda reads, for the documents. */
export const variables = {
  SVEDA_CONFIG: 'Path of the configuration file. Default: ./sveda.yaml.',
  SVEDA_DATA: 'Folder for the embedded database, the generated key and endpoint.json. Default: ./.sveda.',
  DATABASE_URL: 'postgres://… of PostgreSQL 15 or newer. Default: an embedded one in the data folder.',
  SVEDA_EMBED_HOST_API_KEY:
    'Key by which a host backend mints tokens. Without it only programs on this machine may mint.',
  SVEDA_ADMIN_KEY: 'Key of the operator for the routes below /sveda/admin. Without it there are none.',
  SVEDA_INDEX_ROOT:
    'Folder of a workspace whose text files search_code and read_code_file may show. Without it there are no such tools.',
  SVEDA_TRUSTED_PROXIES:
    'Addresses or networks, with commas between, of proxies whose forwarded headers count: limits by address are those of the clients behind them. Default: forwarded headers are ignored.',
  SVEDA_APP_KEY: `Signs tokens and seals credentials: at least ${SHORTEST_KEY} characters. Several with commas between rotate: the first one signs. Required with DATABASE_URL; else one is made in the data folder.`,
} as const;

/** Variables that no configured value may name. */
const secrets = ['SVEDA_EMBED_HOST_API_KEY', 'SVEDA_ADMIN_KEY', 'SVEDA_APP_KEY', 'DATABASE_URL'] as const;

/** Reads file and environment. Throws Misconfigured with every fault at once. */
export function readSettings(environment: Environment): Settings {
  const faults: string[] = [];
  const configuration = readFile(environment, faults);
  const hostKey = keyOf(environment, 'SVEDA_EMBED_HOST_API_KEY', faults);
  const adminKey = keyOf(environment, 'SVEDA_ADMIN_KEY', faults);
  if (hostKey !== undefined && adminKey === hostKey)
    faults.push('SVEDA_ADMIN_KEY must differ from SVEDA_EMBED_HOST_API_KEY.');
  const appKeys = environment.SVEDA_APP_KEY?.split(',');
  if (appKeys?.some((key) => key.trim() !== key || key.length < SHORTEST_KEY))
    faults.push(`SVEDA_APP_KEY: every key needs at least ${SHORTEST_KEY} characters and no space around it.`);
  const databaseUrl = environment.DATABASE_URL || undefined;
  if (databaseUrl !== undefined && appKeys === undefined)
    faults.push(
      'SVEDA_APP_KEY is required with DATABASE_URL: every node must read the tokens of the others.',
    );
  const indexRoot = folderOf(environment.SVEDA_INDEX_ROOT, faults);
  const trustedProxies = networksOf(environment.SVEDA_TRUSTED_PROXIES, faults);
  if (!configuration || faults.length > 0) throw new Misconfigured(faults.join('\n  '));
  return {
    configuration,
    reread: () => readConfiguration(environment),
    dataDir: resolve(environment.SVEDA_DATA || '.sveda'),
    databaseUrl,
    hostKey,
    adminKey,
    indexRoot,
    trustedProxies,
    appKeys: appKeys as Settings['appKeys'],
  };
}

function readConfiguration(environment: Environment): Configuration {
  const faults: string[] = [];
  const configuration = readFile(environment, faults);
  if (!configuration) throw new Misconfigured(faults.join('\n  '));
  return configuration;
}

function folderOf(path: string | undefined, faults: string[]): string | undefined {
  if (!path) return undefined;
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) faults.push('SVEDA_INDEX_ROOT must be a folder.');
  return resolve(path);
}

const Network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

function networksOf(list: string | undefined, faults: string[]): string[] {
  const networks = list ? list.split(',').map((one) => one.trim()) : [];
  if (networks.some((one) => !Network.safeParse(one).success))
    faults.push(
      'SVEDA_TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, with commas between.',
    );
  return networks;
}

function keyOf(environment: Environment, name: string, faults: string[]): string | undefined {
  const key = environment[name];
  if (key !== undefined && !/^[\x21-\x7e]{16,}$/.test(key))
    faults.push(`${name} must have at least 16 visible characters without spaces.`);
  return key;
}

function readFile(environment: Environment, faults: string[]): Configuration | undefined {
  const file = environment.SVEDA_CONFIG || 'sveda.yaml';
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    faults.push(`There is no file ${file}. It needs at least: models: [{ provider: demo }]`);
    return undefined;
  }
  const reading = readYaml(text, {
    schema: Configuration,
    expansion: { environment, at: takesVariables, forbidden: secrets },
  });
  if ('configuration' in reading) return reading.configuration;
  faults.push(...reading.faults.map((fault) => faultLine(file, fault)));
  return undefined;
}
