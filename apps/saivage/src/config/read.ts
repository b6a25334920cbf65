import { readYaml, type Environment, type Reading } from '@portolan/cli';
import { linkFaults } from './links.ts';
import { Configuration } from './schema.ts';
import { expansion } from './variables.ts';

/** What the configuration is judged against, besides its own shape. */
export interface Surroundings {
  readonly environment: Environment;
  /** Every operation that this program has. */
  readonly operations: readonly string[];
  /** The agents that exist without being written down, and what each is granted. */
  readonly defaultAgents: Readonly<Record<string, readonly string[]>>;
}

/** Reads the text of saivage.yaml, beside the names of the servers that agents have defined. Reports every fault at once, in the order of the file. Loads and starts nothing. */
export function readConfiguration(
  text: string,
  around: Surroundings,
  dynamicServers: readonly string[] = [],
): Reading<Configuration> {
  const reading = readYaml(text, {
    schema: Configuration,
    expansion: expansion(around.environment),
    links: (read, locate) =>
      linkFaults(withDefaults(read, around), around.operations, dynamicServers, locate),
  });
  if ('faults' in reading) return reading;
  return { configuration: withDefaults(reading.configuration, around) };
}

/** Some agents exist without being written down; written down, an agent is what the file says. */
function withDefaults(configuration: Configuration, { defaultAgents }: Surroundings): Configuration {
  const unwritten = Object.entries(defaultAgents).map(([name, tools]) => [name, { tools: [...tools] }]);
  return { ...configuration, agents: { ...Object.fromEntries(unwritten), ...configuration.agents } };
}
