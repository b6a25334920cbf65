import {
  runTurn,
  type Limits,
  type Route,
  type ToolSource,
  type Transcript,
  type TurnEvent,
} from '@portolan/agent';
import { Misconfigured } from '@portolan/mcp/tool';
import type { Configuration } from '../config/schema.ts';
import type { Operation, OperationDeps } from '../operations/operation.ts';
import { defaultPrompt } from './defaults.ts';
import { grantedOperations } from './grants.ts';
import { routeOf } from './routes.ts';
import { agentTools } from './tools.ts';

/** What agents are made of. */
export interface AgentsOptions {
  readonly configuration: Configuration;
  /** The opened routes, by name. */
  readonly routes: ReadonlyMap<string, Route>;
  /** Every operation; each agent gets those that it is granted. */
  readonly operations: readonly Operation[];
  readonly deps: OperationDeps;
  readonly newId: () => string;
  /** Told of what nobody expected, and of every failed try at a model. */
  readonly observe: (error: unknown, where: string) => void;
}

/** A named agent, ready to work. */
export interface Agent {
  readonly name: string;
  readonly tools: ToolSource;
  /**
   * Takes one turn on a transcript that ends in a message: model, calls, model, until it is answered or stopped. The
   * last event is always `turn.end`. Throws `Misconfigured` where the agent has no model.
   */
  takeTurn(transcript: Transcript, signal: AbortSignal): AsyncGenerator<TurnEvent, void, void>;
}

/**
 * What an agent may take. Operations end by themselves, within budgets of their own that begin when their turn has come
 * in a queue; so the time of a call only bounds what has no budget. Catalogs are shown whole or not at all.
 */
const limits: Partial<Limits> = {
  callMs: 24 * 3_600_000,
  graceMs: 60_000,
  resultChars: 4 * 1024 * 1024,
};

/** Opens every configured agent. Throws `Misconfigured` for one that is granted what does not exist. */
export function openAgents(options: AgentsOptions): ReadonlyMap<string, Agent> {
  const agents = Object.entries(options.configuration.agents);
  return new Map(agents.map(([name, agent]) => [name, openAgent(name, agent, options)]));
}

function openAgent(name: string, agent: Configuration['agents'][string], options: AgentsOptions): Agent {
  const { routes, operations, deps, newId, observe } = options;
  const { tools: grants, prompt = defaultPrompt(name) } = agent;
  const tools = agentTools(name, grantedOperations(name, grants, operations), deps, observe);
  const route = routeOf(agent, routes);
  return {
    name,
    tools,
    takeTurn: (transcript, signal) =>
      runTurn({
        route: required(route, name),
        instructions: prompt,
        transcript,
        tools: [tools],
        // An operation judges its arguments itself.
        validate: () => undefined,
        limits,
        newId,
        signal,
        observe,
      }),
  };
}

function required(route: Route | undefined, name: string): Route {
  if (route) return route;
  throw new Misconfigured(`The agent "${name}" has no model: saivage.yaml has no route for it.`);
}
