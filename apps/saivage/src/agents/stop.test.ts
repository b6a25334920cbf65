import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { callsOf, openTranscript, type TurnEvent } from '@portolan/agent';
import { living } from '@portolan/process/testing';
import { expect, it, onTestFinished } from 'vitest';
import { everything, napOfTest } from '../testing/outward.ts';
import { openTestServer } from '../testing/server.ts';

it(
  'SAI-35.3 a turn that is stopped gives up its call, and tells so once the server has ended',
  { timeout: 60_000 },
  async () => {
    const mark = napOfTest();
    const silent = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;

    const ids = { bindingId: { $result: '/data/bindingId' }, catalogId: { $result: '/data/catalogId' } };
    const fetching = { toolName: 'gzip-file-as-resource', args: { data: `http://127.0.0.1:${port}/` } };
    const script = [
      { calls: [{ name: 'mcp_server_control', args: { serverName: 'slow', action: 'start' } }] },
      { calls: [{ name: 'mcp_tool_call', args: { serverName: 'slow', ...ids, ...fetching } }] },
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

    const stop = new AbortController();
    silent.once('connection', (socket) => {
      socket.on('error', () => undefined);
      stop.abort();
    });
    const transcript = openTranscript();
    transcript.take({ type: 'message', parts: [{ type: 'text', text: 'Go.' }] });
    const events: TurnEvent[] = [];
    for await (const event of server.agents.get('executor')?.takeTurn(transcript, stop.signal) ?? []) {
      if (event.type === 'result' && events.some(({ type }) => type === 'result'))
        expect(living(mark)).toEqual([]);
      events.push(event);
    }
    expect(events.at(-1)).toMatchObject({ type: 'turn.end', reason: 'stopped' });
    const call = transcript.entries.flatMap(callsOf).at(-1);
    expect(call?.result?.structuredContent).toMatchObject({
      success: false,
      error: { code: 'cancelled', details: { effects: 'possible' } },
    });
  },
);
