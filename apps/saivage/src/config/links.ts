import type { Fault, Locator } from '@portolan/cli';
import type { Configuration } from './schema.ts';

/** Names in the configuration that must have something behind them. */
export function linkFaults(
  configuration: Configuration,
  operations: readonly string[],
  dynamicServers: readonly string[],
  locate: Locator,
): readonly Fault[] {
  return [
    ...analystIsAnAgent(configuration, locate),
    ...toolsExist(configuration, operations, locate),
    ...routesExist(configuration, locate),
    ...providersExist(configuration, locate),
    ...candidatesAreWhole(configuration, locate),
    ...keysAreThere(configuration, locate),
    ...serversAreOnce(configuration, dynamicServers, locate),
  ];
}

function analystIsAnAgent({ analyst_agent, agents }: Configuration, locate: Locator): Fault[] {
  if (Object.hasOwn(agents, analyst_agent)) return [];
  return [locate.value(['analyst_agent'], `There is no agent named "${analyst_agent}".`)];
}

function toolsExist({ agents }: Configuration, operations: readonly string[], locate: Locator): Fault[] {
  return Object.entries(agents).flatMap(([agent, { tools }]) =>
    tools.flatMap((tool, index) =>
      operations.includes(tool)
        ? []
        : [locate.value(['agents', agent, 'tools', index], `There is no operation named "${tool}".`)],
    ),
  );
}

function routesExist({ agents, models }: Configuration, locate: Locator): Fault[] {
  return Object.entries(agents).flatMap(([agent, { model_route: route }]) =>
    route === undefined || Object.hasOwn(models.routes, route)
      ? []
      : [locate.value(['agents', agent, 'model_route'], `There is no route named "${route}".`)],
  );
}

/** What its protocol cannot do without. */
function candidatesAreWhole({ models, providers }: Configuration, locate: Locator): Fault[] {
  return Object.entries(models.routes).flatMap(([route, { candidates }]) =>
    candidates.flatMap(({ provider, model }, index) => {
      const speaks = Object.hasOwn(providers, provider) ? providers[provider]?.protocol : undefined;
      if (model !== undefined || !speaks || speaks === 'demo' || speaks === 'scripted') return [];
      const path = ['models', 'routes', route, 'candidates', index];
      return [locate.value(path, `A candidate of the provider "${provider}" must name a model.`)];
    }),
  );
}

/** Only a server of one's own may do without a key. */
function keysAreThere({ providers }: Configuration, locate: Locator): Fault[] {
  return Object.entries(providers).flatMap(([name, provider]) => {
    if (provider.protocol === 'demo' || provider.protocol === 'scripted') return [];
    const isOwn = provider.protocol === 'openai-chat-completions' && provider.baseUrl !== undefined;
    return provider.apiKey !== undefined || isOwn
      ? []
      : [locate.value(['providers', name], 'This provider needs an apiKey.')];
  });
}

function providersExist({ models, providers }: Configuration, locate: Locator): Fault[] {
  return Object.entries(models.routes).flatMap(([route, { candidates }]) =>
    candidates.flatMap(({ provider }, index) => {
      if (Object.hasOwn(providers, provider)) return [];
      const path = ['models', 'routes', route, 'candidates', index, 'provider'];
      return [locate.value(path, `There is no provider named "${provider}".`)];
    }),
  );
}

/** A server has one definition: nothing is merged, and neither wins. */
function serversAreOnce({ mcpServers }: Configuration, dynamic: readonly string[], locate: Locator): Fault[] {
  const says = 'An agent has defined a server of this name too, in .saivage/config/mcp-servers.json.';
  return Object.keys(mcpServers).flatMap((name) =>
    dynamic.includes(name) ? [locate.key(['mcpServers', name], says)] : [],
  );
}
