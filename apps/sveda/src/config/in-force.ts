import { openRoute, type CandidateConfig, type Route } from '@portolan/agent';
import type { Configuration } from './schema.ts';

/** A configuration that was judged whole, with its models opened. */
export interface InForce {
  readonly configuration: Configuration;
  /** Names of models that a post may ask for. */
  readonly models: ReadonlySet<string>;
  /** All models in their order, the one that is asked for before them. */
  routeFor(model: string | undefined): Route;
}

/** Opens what a configuration names. Throws an Error that says the place when a script is at fault. */
export function inForce(configuration: Configuration): InForce {
  const { candidates } = openRoute(configuration.models);
  const names = configuration.models.map(nameOf);
  return {
    configuration,
    models: new Set(names),
    routeFor(model) {
      const first = candidates[names.indexOf(model ?? '')];
      return { candidates: first ? [first, ...candidates.filter((one) => one !== first)] : candidates };
    },
  };
}

/** How a post asks for a model: as the provider names it, else by the provider. */
function nameOf(candidate: CandidateConfig): string {
  return 'model' in candidate ? candidate.model : candidate.provider;
}
