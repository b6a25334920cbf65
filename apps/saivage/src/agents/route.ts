import { resolve } from 'node:path';
import { CandidateConfig, openRoute, type Route } from '@portolan/agent';
import { Misconfigured } from '@portolan/mcp/tool';
import type { Configuration } from '../config/schema.ts';

/** The route of agents that name none. */
const DEFAULT = 'default';

/**
 * Opens the models of an agent's route. Undefined where it names none and there is none named default: such an agent
 * has its tools and nobody to use them. Throws `Misconfigured` for a script that cannot be played.
 */
export function agentRoute(configuration: Configuration, agent: string, root: string): Route | undefined {
  const name = configuration.agents[agent]?.model_route ?? DEFAULT;
  const route = Object.hasOwn(configuration.models.routes, name)
    ? configuration.models.routes[name]
    : undefined;
  if (!route) return undefined;
  const candidates = route.candidates.map((one) => candidateConfig(configuration, one, root));
  try {
    return openRoute(candidates);
  } catch (error) {
    throw new Misconfigured(
      `The model route "${name}": ${error instanceof Error ? error.message : 'is at fault'}`,
    );
  }
}

type Candidate = Configuration['models']['routes'][string]['candidates'][number];

/** A candidate in the words of the agent package. */
function candidateConfig(
  { providers }: Configuration,
  { provider: name, model, images }: Candidate,
  root: string,
): CandidateConfig {
  const provider = providers[name];
  if (!provider) throw new Misconfigured(`There is no provider named "${name}".`);
  if (provider.protocol === 'demo') return { provider: 'demo' };
  if (provider.protocol === 'scripted') {
    return { provider: 'scripted', script: resolve(root, provider.script) };
  }
  const { protocol, baseUrl: baseURL, apiKey } = provider;
  return CandidateConfig.parse({ provider: wire(protocol, baseURL), model, images, baseURL, apiKey });
}

/** Servers of one's own that speak Chat Completions understand less than their model. */
function wire(protocol: string, baseURL: string | undefined): string {
  if (protocol === 'openai-responses') return 'openai-responses';
  if (protocol === 'anthropic-messages') return 'anthropic';
  return baseURL === undefined ? 'openai-chat' : 'openai-compatible';
}
