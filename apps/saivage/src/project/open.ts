import { faultLine, type Reading } from '@portolan/cli';
import { Misconfigured } from '@portolan/mcp/tool';
import { readConfiguration, type Surroundings } from '../config/read.ts';
import type { Configuration } from '../config/schema.ts';
import { readDynamic } from '../connections/dynamic.ts';
import type { ProjectFolder } from './folder.ts';
import { readIdentity, type Identity } from './identity.ts';
import { readText } from './state.ts';
import { requireTrustedWriters } from './writers.ts';

/** A project that can be worked on. */
export interface Project {
  readonly folder: ProjectFolder;
  readonly identity: Identity;
  readonly configuration: Configuration;
}

/** Reads who the project is and how it is configured. Throws `Misconfigured` with every fault of the configuration. */
export function openProject(folder: ProjectFolder, surroundings: Surroundings): Project {
  const identity = readIdentity(folder.identity);
  const reading = readYaml(folder, surroundings);
  if ('configuration' in reading) return { folder, identity, configuration: reading.configuration };
  const { faults } = reading;
  const many = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
  throw new Misconfigured(
    [`${folder.yaml} has ${many}.`, ...faults.map((fault) => faultLine('saivage.yaml', fault))].join('\n'),
  );
}

/** Reads the project's YAML, right or wrong. Throws `Misconfigured` when there is none, or a damaged file beside it. */
export function readYaml(folder: ProjectFolder, surroundings: Surroundings): Reading<Configuration> {
  const text = readText(folder.yaml);
  if (text === undefined) throw new Misconfigured(`There is no ${folder.yaml}. Run \`saivage init\` first.`);
  requireTrustedWriters(folder.yaml);
  return readConfiguration(text, surroundings, Object.keys(readDynamic(folder)));
}

/** What the configured Analyst is granted. */
export function analystGrants({ agents, analyst_agent }: Configuration): readonly string[] {
  return agents[analyst_agent]?.tools ?? [];
}
