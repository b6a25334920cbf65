import { openTranscript, type Call, callsOf } from '@portolan/agent';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWebPeers, peerProgram } from '../testing/peers.ts';
import { openTestServer, type TestServer } from '../testing/server.ts';

const agents = ['analyst', 'planner', 'executor', 'reviewer', 'oversight', 'courier'] as const;
const granted = [
  'mcp_server_register',
  'mcp_server_replace',
  'mcp_server_unregister',
  'mcp_server_control',
  'mcp_tools',
  'mcp_tool_call',
  'mcp_catalog_refresh',
];

/** The two tool sequences of the handbook, as printed there, for a connection and the one that replaces it. */
function sequences(connection: object, other: object): readonly (readonly [name: string, args: object])[][] {
  const observed = { bindingId: { $result: '/data/bindingId' }, catalogId: { $result: '/data/catalogId' } };
  const ping = { serverName: 'local', ...observed, toolName: 'ping', args: {} };
  const local = { serverName: 'local' };
  return [
    [
      ['mcp_server_register', { serverName: 'local', connection }],
      ['mcp_server_control', { serverName: 'local', action: 'start' }],
      ['mcp_tools', local],
      ['mcp_tool_call', ping],
    ],
    [
      ['mcp_server_control', { serverName: 'local', action: 'stop' }],
      ['mcp_server_replace', { serverName: 'local', connection: other }],
      ['mcp_server_control', { serverName: 'local', action: 'start' }],
      ['mcp_tools', local],
      ['mcp_catalog_refresh', { serverName: 'local', bindingId: observed.bindingId }],
      ['mcp_tools', local],
      ['mcp_tool_call', ping],
      ['mcp_server_control', { serverName: 'local', action: 'restart' }],
      ['mcp_tools', local],
      ['mcp_server_control', { serverName: 'local', action: 'stop' }],
      ['mcp_server_unregister', local],
    ],
  ];
}

/** One reply a call, in the order of the talk, and a last word. */
const scriptOf = (calls: readonly (readonly [name: string, args: object])[]) =>
  JSON.stringify([...calls.map(([name, args]) => ({ calls: [{ name, args }] })), { text: 'done' }]);

const route = (script: string) => ({
  providers: { [script]: { protocol: 'scripted', script: `${script}.yaml` } },
  routes: { [script]: { candidates: [{ provider: script }] } },
});

describe('an agent with a scripted model', () => {
  let web: Awaited<ReturnType<typeof openWebPeers>>;
  let server: TestServer;

  beforeAll(async () => {
    web = await openWebPeers();
    const stdio = (file: string) => ({ transport: 'stdio', command: 'node', args: [file] });
    const http = (name: string) => ({ transport: 'streamable-http', url: `${web.origin}/${name}` });
    const [first = [], second = []] = sequences(stdio('peer.js'), stdio('peer-b.js'));
    const [firstWeb = [], secondWeb = []] = sequences(http('peer'), http('peer-b'));
    const routes = [route('stdio'), route('web')];
    server = await openTestServer({
      mode: 'internal',
      files: {
        'peer.js': peerProgram('peer'),
        'peer-b.js': peerProgram('peer-b'),
        'stdio.yaml': scriptOf([...first, ...second]),
        'web.yaml': scriptOf([...firstWeb, ...secondWeb]),
      },
      yaml: JSON.stringify({
        agents: Object.fromEntries(
          agents.flatMap((name) => [
            [name, { tools: granted, model_route: 'stdio' }],
            [`${name}-web`, { tools: granted, model_route: 'web' }],
          ]),
        ),
        providers: Object.assign({}, ...routes.map(({ providers }) => providers)),
        models: { routes: Object.assign({}, ...routes.map(({ routes: one }) => one)) },
      }),
    });
  });
  afterAll(async () => {
    await server.close();
    await web.close();
  });

  for (const agent of agents)
    for (const name of [agent, `${agent}-web`])
      it(`SAI-31.3 runs both tool sequences as they are printed: ${name}`, async () => {
        expect(outcomes(await turnOf(server, name))).toEqual([
          ['mcp_server_register', 'stopped'],
          ['mcp_server_control', 'running'],
          ['mcp_tools', ['ping']],
          ['mcp_tool_call', [{ type: 'text', text: { untrusted: 'pong of peer' } }]],
          ['mcp_server_control', 'stopped'],
          ['mcp_server_replace', 'stopped'],
          ['mcp_server_control', 'running'],
          ['mcp_tools', ['ping']],
          ['mcp_catalog_refresh', 'running'],
          ['mcp_tools', ['ping']],
          ['mcp_tool_call', [{ type: 'text', text: { untrusted: 'pong of peer-b' } }]],
          ['mcp_server_control', 'running'],
          ['mcp_tools', ['ping']],
          ['mcp_server_control', 'stopped'],
          ['mcp_server_unregister', 'unregistered'],
        ]);
      });

  it('SAI-31.3 sees new ids where the handbook says so, and no others', async () => {
    const seen = (await turnOf(server, 'executor'))
      .filter(({ name }) => name === 'mcp_tools')
      .map((call) => dataOf(call) as { bindingId: string; catalogId: string });
    const [started, replaced, refreshed, restarted] = seen;
    expect(new Set(seen.map(({ catalogId }) => catalogId)).size).toBe(4);
    expect(refreshed?.bindingId).toBe(replaced?.bindingId);
    expect(new Set([started, replaced, restarted].map((one) => one?.bindingId)).size).toBe(3);
  });
});

/** Lets an agent take the turn that its script holds, and answers its calls. */
async function turnOf(server: TestServer, name: string): Promise<Call[]> {
  const transcript = openTranscript();
  transcript.take({ type: 'message', parts: [{ type: 'text', text: 'Go.' }] });
  const agent = server.agents.get(name);
  let end: unknown;
  for await (const event of agent?.takeTurn(transcript, new AbortController().signal) ?? []) end = event;
  expect(end).toMatchObject({ type: 'turn.end', reason: 'answered' });
  return transcript.entries.flatMap(callsOf);
}

/** What each call came to: what it answers of the server's state, its tools or its content. */
function outcomes(calls: readonly Call[]) {
  return calls.map((call) => {
    const { success, content } = envelopeOf(call);
    const { status, tools } = dataOf(call) as { status?: string; tools?: { name: string }[] };
    return [call.name, success && (content ?? tools?.map(({ name }) => name) ?? status)];
  });
}

function dataOf(call: Call): unknown {
  return envelopeOf(call).data ?? {};
}

function envelopeOf({ result }: Call) {
  return (result?.structuredContent ?? {}) as { success?: boolean; data?: unknown; content?: unknown };
}
