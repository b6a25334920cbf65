import type { Fault, Locator } from '@portolan/cli';
import type { Configuration } from './schema.ts';

/** Names in the configuration that must have something behind them. */
export function linkFaults(
  configuration: Configuration,
  operations: readonly string[],
  locate: Locator,
): readonly Fault[] {
  return [
    ...analystIsAnAgent(configuration, locate),
    ...toolsExist(configuration, operations, locate),
    ...routesExist(configuration, locate),
    ...providersExist(configuration, locate),
    ...nothingStartsByItself(configuration, locate),
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

function providersExist({ models, providers }: Configuration, locate: Locator): Fault[] {
  return Object.entries(models.routes).flatMap(([route, { candidates }]) =>
    candidates.flatMap(({ provider }, index) => {
      if (Object.hasOwn(providers, provider)) return [];
      const path = ['models', 'routes', route, 'candidates', index, 'provider'];
      return [locate.value(path, `There is no provider named "${provider}".`)];
    }),
  );
}

/** An autostart that does not happen would be worse than a refusal. */
function nothingStartsByItself({ mcpServers }: Configuration, locate: Locator): Fault[] {
  return Object.entries(mcpServers).flatMap(([name, { autostart }]) =>
    autostart
      ? [locate.value(['mcpServers', name, 'autostart'], 'This version starts no MCP server by itself.')]
      : [],
  );
}
