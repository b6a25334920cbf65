import { existsSync } from 'node:fs';
import { openTranscript, type TurnEvent } from '@portolan/agent';
import { startModelServer, type ServerReply } from '@portolan/agent/testing';
import { Misconfigured } from '@portolan/mcp/tool';
import { describe, expect, it, onTestFinished } from 'vitest';
import { surroundings } from '../cli/surroundings.ts';
import type { Configuration } from '../config/schema.ts';
import { readConfiguration } from '../config/read.ts';
import type { OperationDeps } from '../operations/operation.ts';
import { operations } from '../operations/registry.ts';
import { folderOfTest, makeProject } from '../testing/project.ts';
import { run } from '../testing/terminal.ts';
import { openAgents, type Agent } from './agent.ts';
import { openRoutes } from './routes.ts';

const configured = (parts: object) => readConfiguration(JSON.stringify(parts), surroundings({ KEY: 'k-1' }));

function configuration(parts: object): Configuration {
  const reading = configured(parts);
  if ('faults' in reading) throw new Error(reading.faults.map(({ message }) => message).join('\n'));
  return reading.configuration;
}

/** The agents of a configuration, on a project of which only its status is known. */
function agentsOf(parts: Configuration): ReadonlyMap<string, Agent> {
  let ids = 0;
  const deps = { observe: () => ({ runtime: { status: 'stopped' } }) } as OperationDeps;
  return openAgents({
    configuration: parts,
    routes: openRoutes(parts, '/nowhere'),
    operations,
    deps,
    newId: () => `id${++ids}`,
    observe: () => undefined,
  });
}

async function turnOf(agent: Agent | undefined): Promise<TurnEvent[]> {
  const transcript = openTranscript();
  transcript.take({ type: 'message', parts: [{ type: 'text', text: 'How is it going?' }] });
  const events: TurnEvent[] = [];
  for await (const event of agent?.takeTurn(transcript, new AbortController().signal) ?? [])
    events.push(event);
  return events;
}

/** A model on the wire that says these things, and a route to it under every protocol. */
async function withModel(replies: readonly ServerReply[]) {
  const server = await startModelServer(replies);
  onTestFinished(() => server.close());
  const own = (protocol: string) => ({ protocol, baseUrl: server.baseURL, apiKey: '${KEY}' });
  const route = (provider: string) => ({ candidates: [{ provider, model: 'm-1' }] });
  const protocols = ['openai-chat-completions', 'openai-responses', 'anthropic-messages'];
  return {
    server,
    providers: Object.fromEntries(protocols.map((name) => [name, own(name)])),
    models: { routes: Object.fromEntries(protocols.map((name) => [name, route(name)])) },
  };
}

describe('agents', () => {
  it('SAI-11.1 a granted name without an operation behind it is a fault of the configuration', () => {
    const reading = configured({ agents: { executor: { tools: ['read', 'mcp_everything'] } } });
    expect('faults' in reading && reading.faults.map(({ message }) => message)).toEqual([
      'There is no operation named "mcp_everything".',
    ]);
    const parts = configuration({ agents: { courier: { tools: ['read'] } } });
    const courier = { tools: ['read', 'gone'] };
    expect(() => agentsOf({ ...parts, agents: { courier } })).toThrow(
      new Misconfigured('The agent "courier" is granted "gone": there is no such operation.'),
    );
  });

  it('SAI-11.2 five exist by themselves; one that is written down, or added, is what stands there', async () => {
    const agents = agentsOf(
      configuration({ agents: { reviewer: { tools: ['read', 'mcp_tools'] }, courier: { tools: [] } } }),
    );
    const listed = await Promise.all(
      [...agents.values()].map(async ({ name, tools }) => {
        const offered = await tools.list({ signal: new AbortController().signal });
        return [name, offered.map((tool) => tool.name)];
      }),
    );
    const commands = ['list_processes_tool', 'run_command', 'wait_process', 'kill_process'];
    const use = ['mcp_tool_call', 'mcp_server_control', 'mcp_tools'];
    expect(listed).toEqual([
      ['analyst', ['get_status', 'show_config', 'read', ...commands, ...use]],
      ['planner', ['get_status', 'read']],
      ['executor', ['get_status', 'read', ...commands, ...use]],
      ['reviewer', ['read', 'mcp_tools']],
      ['oversight', ['get_status', 'read', 'list_processes_tool']],
      ['courier', []],
    ]);
  });

  for (const protocol of ['openai-chat-completions', 'openai-responses', 'anthropic-messages'])
    it(`SAI-11.3 an agent asks its route with its own prompt and its own tools: ${protocol}`, async () => {
      const { server, ...parts } = await withModel([{ text: 'Well.' }]);
      const courier = {
        prompt: 'You carry letters.',
        model_route: protocol,
        tools: ['get_status', 'mcp_tools'],
      };
      const agents = agentsOf(configuration({ agents: { courier }, ...parts }));
      expect((await turnOf(agents.get('courier'))).at(-1)).toMatchObject({
        type: 'turn.end',
        reason: 'answered',
      });
      const { headers, body } = await server.request(0);
      expect(JSON.stringify(headers)).toContain('k-1');
      expect(JSON.stringify(body)).toContain('You carry letters.');
      const tools = body['tools'] as { name?: string; function?: { name: string } }[];
      expect(tools.map((tool) => tool.name ?? tool.function?.name)).toEqual(['get_status', 'mcp_tools']);
    });

  it('SAI-11.3 the demo model needs no key, and an agent without a model cannot take a turn', async () => {
    const demo = {
      providers: { words: { protocol: 'demo' } },
      models: { routes: { default: { candidates: [{ provider: 'words' }] } } },
    };
    const said = (await turnOf(agentsOf(configuration(demo)).get('planner'))).map((event) =>
      event.type === 'text' ? event.delta : '',
    );
    expect(said.join('')).toContain('I am the demo model');
    const without = agentsOf(configuration({})).get('planner');
    await expect(turnOf(without)).rejects.toThrow(
      new Misconfigured('The agent "planner" has no model: saivage.yaml has no route for it.'),
    );
  });

  it('SAI-11.3 a script that is not there is found before anything is opened', async () => {
    const script = {
      providers: { played: { protocol: 'scripted', script: 'none.yaml' } },
      models: { routes: { default: { candidates: [{ provider: 'played' }] } } },
    };
    const folder = makeProject(folderOfTest(), JSON.stringify(script));
    for (const command of ['check', 'start']) {
      const { code, out, complaint } = await run([command], { workingFolder: folder.root });
      expect([code, out + complaint]).toEqual([
        78,
        expect.stringMatching(/The model route "default": .*none\.yaml/),
      ]);
    }
    expect(existsSync(folder.data)).toBe(false);
  });

  it('SAI-3.1 a provider says what it cannot do without', () => {
    const reading = configured({
      providers: {
        far: { protocol: 'anthropic-messages' },
        own: { protocol: 'openai-chat-completions', baseUrl: 'http://127.0.0.1:1/v1' },
      },
      models: { routes: { default: { candidates: [{ provider: 'far' }, { provider: 'own', model: 'm' }] } } },
    });
    expect('faults' in reading && reading.faults.map(({ message }) => message)).toEqual([
      'This provider needs an apiKey.',
      'A candidate of the provider "far" must name a model.',
    ]);
  });
});
