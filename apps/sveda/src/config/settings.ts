import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { faultLine, readYaml, type Environment } from '@portolan/cli';
import { Misconfigured } from '@portolan/mcp/tool';
import { SHORTEST_KEY } from '../embed/keys.ts';
import { Configuration } from './schema.ts';

/** Everything that `sveda serve` is told: the file and the environment. */
export interface Settings {
  readonly configuration: Configuration;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly hostKey: string | undefined;
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
  SVEDA_APP_KEY: `Signs tokens and seals credentials: at least ${SHORTEST_KEY} characters. Several with commas between rotate: the first one signs. Required with DATABASE_URL; else one is made in the data folder.`,
} as const;

/** Variables that no configured value may name. */
const secrets = ['SVEDA_EMBED_HOST_API_KEY', 'SVEDA_APP_KEY', 'DATABASE_URL'] as const;

/** Reads file and environment. Throws Misconfigured with every fault at once. */
export function readSettings(environment: Environment): Settings {
  const faults: string[] = [];
  const file = environment.SVEDA_CONFIG || 'sveda.yaml';
  const configuration = readFile(file, environment, faults);
  const hostKey = environment.SVEDA_EMBED_HOST_API_KEY;
  if (hostKey !== undefined && !/^[\x21-\x7e]{16,}$/.test(hostKey))
    faults.push('SVEDA_EMBED_HOST_API_KEY must have at least 16 visible characters without spaces.');
  const appKeys = environment.SVEDA_APP_KEY?.split(',');
  if (appKeys?.some((key) => key.trim() !== key || key.length < SHORTEST_KEY))
    faults.push(`SVEDA_APP_KEY: every key needs at least ${SHORTEST_KEY} characters and no space around it.`);
  const databaseUrl = environment.DATABASE_URL || undefined;
  if (databaseUrl !== undefined && appKeys === undefined)
    faults.push(
      'SVEDA_APP_KEY is required with DATABASE_URL: every node must read the tokens of the others.',
    );
  if (!configuration || faults.length > 0) throw new Misconfigured(faults.join('\n  '));
  return {
    configuration,
    dataDir: resolve(environment.SVEDA_DATA || '.sveda'),
    databaseUrl,
    hostKey,
    appKeys: appKeys as Settings['appKeys'],
  };
}

function readFile(file: string, environment: Environment, faults: string[]): Configuration | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    faults.push(`There is no file ${file}. It needs at least: models: [{ provider: demo }]`);
    return undefined;
  }
  const reading = readYaml(text, {
    schema: Configuration,
    expansion: { environment, at: (path) => path.at(-1) === 'apiKey', forbidden: secrets },
  });
  if ('configuration' in reading) return reading.configuration;
  faults.push(...reading.faults.map((fault) => faultLine(file, fault)));
  return undefined;
}
