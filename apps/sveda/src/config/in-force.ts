import { openRoute, type CandidateConfig, type Route } from '@portolan/agent';
import { Misconfigured } from '@portolan/mcp/tool';
import type { Configuration } from './schema.ts';

/** A configuration that was judged whole, with its models opened. */
export interface InForce {
  readonly configuration: Configuration;
  /** Names of models that a post may ask for. */
  readonly models: ReadonlySet<string>;
  /** All models in their order, the one that is asked for before them. */
  routeFor(model: string | undefined): Route;
}

/** Opens what a configuration names. Throws Misconfigured when a script is missing or at fault. */
export function inForce(configuration: Configuration): InForce {
  const { candidates } = open(configuration);
  const names = configuration.models.map(modelName);
  return {
    configuration,
    models: new Set(names),
    routeFor(model) {
      const first = candidates[names.indexOf(model ?? '')];
      return { candidates: first ? [first, ...candidates.filter((one) => one !== first)] : candidates };
    },
  };
}

function open({ models }: Configuration): Route {
  try {
    return openRoute(models);
  } catch (error) {
    throw new Misconfigured(error instanceof Error ? error.message : 'A model cannot be opened.');
  }
}

/** How a post asks for a model: as the provider names it, else by the provider. */
export function modelName(candidate: CandidateConfig): string {
  return 'model' in candidate ? candidate.model : candidate.provider;
}
