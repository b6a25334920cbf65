import { readYaml, type Environment, type Reading } from '@portolan/cli';
import { linkFaults } from './links.ts';
import { Configuration } from './schema.ts';
import { expansion } from './variables.ts';

/** What the configuration is judged against, besides its own shape. */
export interface Surroundings {
  readonly environment: Environment;
  /** Every operation that this program has. */
  readonly operations: readonly string[];
  /** What the Analyst is granted where the file does not say. */
  readonly defaultGrants: readonly string[];
}

/** Reads the text of saivage.yaml. Reports every fault at once, in the order of the file. Loads and starts nothing. */
export function readConfiguration(text: string, around: Surroundings): Reading<Configuration> {
  const reading = readYaml(text, {
    schema: Configuration,
    expansion: expansion(around.environment),
    links: (read, locate) => linkFaults(withDefaults(read, around), around.operations, locate),
  });
  if ('faults' in reading) return reading;
  return { configuration: withDefaults(reading.configuration, around) };
}

/** The Analyst exists without being written down; written down, it is what the file says. */
function withDefaults(configuration: Configuration, { defaultGrants }: Surroundings): Configuration {
  const analyst = { tools: [...defaultGrants] };
  return { ...configuration, agents: { analyst, ...configuration.agents } };
}
