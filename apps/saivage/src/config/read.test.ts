import { faultLine } from '@portolan/cli';
import { describe, expect, it } from 'vitest';
import { startingYaml } from '../project/template.ts';
import { readConfiguration } from './read.ts';
import type { Configuration } from './schema.ts';

const surroundings = {
  environment: { MODEL_KEY: 'k-1', EMPTY: '' },
  operations: ['get_status', 'show_config', 'read'],
  defaultAgents: { analyst: ['get_status', 'read'], planner: ['read'] },
};

function configuration(yaml: string): Configuration {
  const reading = readConfiguration(yaml, surroundings);
  if ('faults' in reading)
    throw new Error(reading.faults.map((fault) => faultLine('saivage.yaml', fault)).join('\n'));
  return reading.configuration;
}

function faults(yaml: string): string[] {
  const reading = readConfiguration(yaml, surroundings);
  return 'faults' in reading ? reading.faults.map((fault) => faultLine('saivage.yaml', fault)) : [];
}

describe('saivage.yaml', () => {
  it('may be empty: everything has a default', () => {
    expect(configuration('')).toEqual({
      server: { host: '127.0.0.1', port: 8080 },
      analyst_agent: 'analyst',
      agents: { analyst: { tools: ['get_status', 'read'] }, planner: { tools: ['read'] } },
      models: { routes: {} },
      providers: {},
      mcpServers: {},
    });
  });

  it('SAI-2.2 begins as a file that says exactly the defaults', () => {
    expect(configuration(startingYaml(surroundings.defaultAgents))).toEqual(configuration(''));
  });

  it('takes every documented key', () => {
    const yaml = `
server: { host: 127.0.0.1, port: 0 }
analyst_agent: helper
agents:
  helper: { prompt: Be brief., model_route: default, tools: [read, get_status] }
models:
  routes:
    default: { candidates: [{ provider: example, model: m-1 }] }
providers:
  example: { protocol: openai-responses, baseUrl: https://models.example/v1, apiKey: "\${MODEL_KEY}" }
mcpServers:
  local: { transport: stdio, command: node, args: [peer.js], env: { KEY: "a-\${MODEL_KEY}-b" }, disabled: true }
  remote: { transport: streamable-http, url: https://example.com/mcp, autostart: false }
`;
    expect(configuration(yaml)).toMatchObject({
      analyst_agent: 'helper',
      agents: { helper: { tools: ['read', 'get_status'] } },
      providers: { example: { apiKey: 'k-1' } },
      mcpServers: {
        local: { env: { KEY: 'a-k-1-b' }, autostart: false, disabled: true },
        remote: { url: 'https://example.com/mcp', autostart: false, disabled: false },
      },
    });
  });

  it('SAI-3.1 reports every fault at once, each with its line and column, in the order of the file', () => {
    const yaml = `sever:
  port: 1
server:
  port: 70000
  colour: red
agents:
  analyst:
    tools:
      - get_status
      - get_card
      - "*"
  Planner:
    tools: read
mcpServers:
  local:
    transport: stdio
    url: https://example.com
  other:
    transport: smoke
`;
    expect(faults(yaml)).toEqual([
      'saivage.yaml:1:1 sever This key is unknown.',
      'saivage.yaml:4:9 server.port Too big: expected number to be <=65535.',
      'saivage.yaml:5:3 server.colour This key is unknown.',
      'saivage.yaml:11:9 agents.analyst.tools[2] must be the exact name of an operation.',
      'saivage.yaml:12:3 agents.Planner This name must begin with a lower-case letter; letters, digits, _ and - may follow.',
      'saivage.yaml:16:5 mcpServers.local.command Invalid input: expected string, received undefined.',
      'saivage.yaml:17:5 mcpServers.local.url This key is unknown.',
      "saivage.yaml:19:16 mcpServers.other.transport Invalid discriminator value. Expected 'stdio' | 'streamable-http'.",
    ]);
  });

  it('SAI-3.1 wants something behind every name', () => {
    const yaml = `analyst_agent: ghost
agents:
  analyst:
    model_route: fast
    tools: [read, get_card]
models:
  routes:
    slow:
      candidates:
        - { provider: nobody, model: m }
`;
    expect(faults(yaml)).toEqual([
      'saivage.yaml:1:16 analyst_agent There is no agent named "ghost".',
      'saivage.yaml:4:18 agents.analyst.model_route There is no route named "fast".',
      'saivage.yaml:5:19 agents.analyst.tools[1] There is no operation named "get_card".',
      'saivage.yaml:10:23 models.routes.slow.candidates[0].provider There is no provider named "nobody".',
    ]);
  });

  it('SAI-3.1 refuses a key that would vanish as the prototype of an object', () => {
    expect(
      faults(`mcpServers:
  __proto__: { transport: stdio, command: node }
  peer: { transport: stdio, command: node, env: { "__proto__": x } }
`),
    ).toEqual([
      'saivage.yaml:2:3 The key __proto__ is not allowed.',
      'saivage.yaml:3:51 The key __proto__ is not allowed.',
    ]);
  });

  it('SAI-3.1 finds names of JavaScript nowhere', () => {
    expect(faults('analyst_agent: constructor\nagents:\n  constructor: {}\n')).toEqual([
      'saivage.yaml:3:16 agents.constructor.tools Invalid input: expected array, received undefined.',
    ]);
    expect(faults('analyst_agent: valueof\n')).toEqual([
      'saivage.yaml:1:16 analyst_agent There is no agent named "valueof".',
    ]);
  });

  it.each([
    [
      'a key twice',
      'server: {}\nserver: {}\nx: 1\n',
      ['saivage.yaml:2:1 Map keys must be unique.', 'saivage.yaml:3:1 x This key is unknown.'],
    ],
    [
      'broken YAML',
      'server: [1\n',
      ['saivage.yaml:2:1 Flow sequence in block collection must be sufficiently indented and end with a ].'],
    ],
    [
      'two documents',
      'server: {}\n---\nserver: {}\n',
      ['saivage.yaml:2:1 Source contains multiple documents; please use YAML.parseAllDocuments().'],
    ],
    ['an unknown tag', 'analyst_agent: !secret x\n', ['saivage.yaml:1:16 Unresolved tag: !secret.']],
    ['a list at the top', '- 1\n', ['saivage.yaml:1:1 Invalid input: expected object, received array.']],
    [
      'an unknown alias',
      'server: *nowhere\n',
      ['saivage.yaml:1:1 Unresolved alias (the anchor must be set before the alias): nowhere.'],
    ],
    [
      'more than 1 MiB',
      `# ${'x'.repeat(1024 * 1024)}\n`,
      ['saivage.yaml:1:1 The file is larger than 1 MiB.'],
    ],
  ])('SAI-3.1 refuses %s', (_, yaml, expected) => {
    expect(faults(yaml)).toEqual(expected);
  });

  it('SAI-3.2 puts variables in place only in providers and in the env of servers', () => {
    const yaml = `
agents: { analyst: { prompt: "\${MODEL_KEY}", tools: [] } }
providers: { p: { protocol: anthropic-messages, baseUrl: "https://\${MODEL_KEY}.example", apiKey: "x\${EMPTY}\${MODEL_KEY}" } }
mcpServers:
  local: { transport: stdio, command: "\${MODEL_KEY}", args: ["\${MODEL_KEY}"], env: { A: "\${MODEL_KEY}", B: "$MODEL_KEY \${" } }
`;
    expect(configuration(yaml)).toMatchObject({
      agents: { analyst: { prompt: '${MODEL_KEY}' } },
      providers: { p: { baseUrl: 'https://k-1.example', apiKey: 'xk-1' } },
      mcpServers: {
        local: { command: '${MODEL_KEY}', args: ['${MODEL_KEY}'], env: { A: 'k-1', B: '$MODEL_KEY ${' } },
      },
    });
  });

  it("SAI-3.2 refuses variables that are not set, and Saivage's own secrets", () => {
    const yaml = `providers:
  p: { protocol: anthropic-messages, apiKey: "\${NOWHERE}" }
mcpServers:
  local:
    transport: stdio
    command: node
    env:
      A: \${SAIVAGE_API_TOKEN}
      B: \${SAIVAGE_ANALYST_MCP_TOKEN}
`;
    expect(faults(yaml)).toEqual([
      'saivage.yaml:2:46 providers.p.apiKey The environment variable NOWHERE is not set.',
      'saivage.yaml:8:10 mcpServers.local.env.A The environment variable SAIVAGE_API_TOKEN is a secret of this program.',
      'saivage.yaml:9:10 mcpServers.local.env.B The environment variable SAIVAGE_ANALYST_MCP_TOKEN is a secret of this program.',
    ]);
  });

  it('SAI-30.5 refuses a server that an agent has defined too', () => {
    const yaml = `mcpServers:
  local: { transport: stdio, command: node, autostart: true }
  other: { transport: stdio, command: node }
`;
    const reading = readConfiguration(yaml, surroundings, ['mine', 'other']);
    expect('faults' in reading && reading.faults.map((fault) => faultLine('saivage.yaml', fault))).toEqual([
      'saivage.yaml:3:3 mcpServers.other An agent has defined a server of this name too, in .saivage/config/mcp-servers.json.',
    ]);
  });
});
