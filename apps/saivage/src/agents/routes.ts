import { resolve } from 'node:path';
import { CandidateConfig, openRoute, type Route } from '@portolan/agent';
import { Misconfigured } from '@portolan/mcp/tool';
import type { Configuration } from '../config/schema.ts';

/** The route of agents that name none. */
const DEFAULT = 'default';

/**
 * Opens the models of every route. Nothing is sent: only scripts are read. Throws `Misconfigured` for one that cannot be
 * played.
 */
export function openRoutes(configuration: Configuration, root: string): ReadonlyMap<string, Route> {
  const routes = Object.entries(configuration.models.routes);
  return new Map(
    routes.map(([name, { candidates }]) => {
      const models = candidates.map((one) => candidateConfig(configuration, one, root));
      return [name, opened(name, models)];
    }),
  );
}

/**
 * The route of an agent. Undefined where it names none and there is none named default: such an agent has its tools and
 * nobody to use them.
 */
export function routeOf(agent: Configuration['agents'][string], routes: ReadonlyMap<string, Route>) {
  return routes.get(agent.model_route ?? DEFAULT);
}

function opened(name: string, models: readonly CandidateConfig[]): Route {
  try {
    return openRoute(models);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it is at fault';
    throw new Misconfigured(`The model route "${name}": ${reason}`);
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
