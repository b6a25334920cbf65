import { openTranscript, type TurnEvent } from '@portolan/agent';
import { onTestFinished } from 'vitest';
import { everything } from './outward.ts';
import { openTestServer } from './server.ts';

/** The ids of the present connection and tool list, as a script takes them from the newest result that has them. */
const ids = { bindingId: { $result: '/data/bindingId' }, catalogId: { $result: '/data/catalogId' } };

/**
 * A turn of the executor whose script starts the reference server, found by `mark`, and calls one of its tools, then ends with
 * `more`. The server lives as long as the test.
 */
export async function playCall(
  mark: number,
  call: { readonly toolName: string; readonly args: object },
  more: readonly object[] = [],
) {
  const script = [
    { calls: [{ name: 'mcp_server_control', args: { serverName: 'slow', action: 'start' } }] },
    { calls: [{ name: 'mcp_tool_call', args: { serverName: 'slow', ...ids, ...call } }] },
    ...more,
  ];
  const server = await openTestServer({
    mode: 'internal',
    files: { 'script.yaml': JSON.stringify(script) },
    yaml: JSON.stringify({
      providers: { played: { protocol: 'scripted', script: 'script.yaml' } },
      models: { routes: { default: { candidates: [{ provider: 'played' }] } } },
      mcpServers: { slow: everything(mark) },
    }),
  });
  onTestFinished(() => server.close());
  const transcript = openTranscript();
  transcript.take({ type: 'message', parts: [{ type: 'text', text: 'Go.' }] });
  const executor = server.agents.get('executor');
  if (!executor) throw new Error('There is no executor.');
  return {
    transcript,
    run: (signal: AbortSignal): AsyncIterable<TurnEvent> => executor.takeTurn(transcript, signal),
  };
}
