import { openTranscript } from '@portolan/agent';
import { expect, it, onTestFinished } from 'vitest';
import { everything, napOfTest } from '../testing/outward.ts';
import { openTestServer } from '../testing/server.ts';

it('SAI-35.5 a turn tells how far the call of a server is', { timeout: 60_000 }, async () => {
  const ids = { bindingId: { $result: '/data/bindingId' }, catalogId: { $result: '/data/catalogId' } };
  const working = { toolName: 'trigger-long-running-operation', args: { duration: 0.1, steps: 2 } };
  const script = [
    { calls: [{ name: 'mcp_server_control', args: { serverName: 'slow', action: 'start' } }] },
    { calls: [{ name: 'mcp_tool_call', args: { serverName: 'slow', ...ids, ...working } }] },
    { text: 'Done.' },
  ];
  const server = await openTestServer({
    mode: 'internal',
    files: { 'script.yaml': JSON.stringify(script) },
    yaml: JSON.stringify({
      providers: { played: { protocol: 'scripted', script: 'script.yaml' } },
      models: { routes: { default: { candidates: [{ provider: 'played' }] } } },
      mcpServers: { slow: everything(napOfTest()) },
    }),
  });
  onTestFinished(() => server.close());
  const transcript = openTranscript();
  transcript.take({ type: 'message', parts: [{ type: 'text', text: 'Go.' }] });
  const told: unknown[] = [];
  const turn = server.agents.get('executor')?.takeTurn(transcript, new AbortController().signal) ?? [];
  for await (const event of turn)
    if (event.type === 'progress') told.push([event.progress, event.total]);
    else if (event.type === 'turn.end') told.push(event.reason);
  expect(told).toEqual([[1, 2], [2, 2], 'answered']);
});
