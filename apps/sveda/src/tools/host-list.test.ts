import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { offeredIn, resultsIn, talk } from '../testing/opened.ts';
import { testRows } from '../testing/rows.ts';

const handshake = ['initialize', 'notifications/initialized', 'tools/list'];

describe("the host's list", () => {
  it('SVE-21.3 is read whole, page by page, and kept for as long as the turn runs', async () => {
    const tools = Array.from({ length: 7 }, (_, at) => ({ name: `t${at}` }));
    const { host, visitor, requests } = await talk({
      host: tools,
      hostOptions: { pageSize: 3 },
      model: (_request, index) =>
        index < 3 ? { calls: [{ name: `t${index}`, args: {} }] } : { text: 'Done.' },
    });
    await visitor.stream({ message: { text: 'Go' } });
    expect(requests.map((request) => offeredIn(request).length)).toEqual([8, 8, 8, 8]);
    expect(host.methods()).toEqual([
      ...handshake,
      'tools/list',
      'tools/list',
      'tools/call',
      'tools/call',
      'tools/call',
    ]);
  });

  it('SVE-21.4 is asked for in 2025-11-25 first, in 2026-07-28 where the host asks for it, and then at once for some days', async () => {
    const { host, visitor, server } = await talk({
      script: '- calls: [{ name: find }]\n- text: Done.\n- text: Again.\n- text: Back.\n- text: Still.',
      host: [{ name: 'find' }],
      hostOptions: { newestOnly: true },
    });
    const first = await visitor.stream({ message: { text: 'Find' } });
    expect(resultsIn(first)).toEqual(['find: succeeded']);
    expect(host.methods()).toEqual(['initialize', 'server/discover', 'tools/list', 'tools/call']);
    const chatId = first[0]?.chatId;
    await visitor.stream({ chatId, message: { text: 'Again' } });
    expect(host.methods().slice(4)).toEqual(['server/discover', 'tools/list']);
    const dated = await testRows(
      server.database.url,
      "select decided_at > now() - interval '1 minute' as fresh, octet_length(url_hash) as bytes from sveda.host_verdict",
    );
    expect(dated).toEqual([{ fresh: true, bytes: 32 }]);
    // A host that goes back is found out, and met in the old way from then on.
    host.state.newestOnly = false;
    const back = await visitor.stream({ chatId, message: { text: 'Back' } });
    expect(back.some(({ type }) => type === 'notice')).toBe(false);
    expect(host.methods().slice(6)).toEqual(['server/discover', ...handshake]);
    expect(await testRows(server.database.url, 'select 1 from sveda.host_verdict')).toEqual([]);
    // A verdict that has grown old is not believed.
    host.state.newestOnly = true;
    await testRows(
      server.database.url,
      `insert into sveda.host_verdict values (sha256('${host.url}'), now() - interval '8 days')`,
    );
    await visitor.stream({ chatId, message: { text: 'Still' } });
    expect(host.methods().slice(10)).toEqual(['initialize', 'server/discover', 'tools/list']);
  });

  it('SVE-21.5 that fails is told to the visitor, the model and the operator, and costs nothing else', async () => {
    const { host, visitor, requests, server, diagnostics } = await talk({
      host: [{ name: 'find' }],
      model: () => ({ text: 'Hello.' }),
    });
    host.state.broken = true;
    const clientTools = [{ name: 'mark', description: 'Marks.', parameters: { type: 'object' } }];
    const events = await visitor.stream({ message: { text: 'Hi' }, clientTools });
    expect(events.filter(({ type }) => type === 'notice')).toMatchObject([
      { code: 'tools_unavailable', message: 'The tools of this site are not available at the moment.' },
    ]);
    expect(events.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(offeredIn(requests[0])).toEqual(['mark']);
    expect(JSON.stringify(requests[0]?.body)).toContain(
      'The tools of this site are not available at the moment.',
    );
    expect(server.logged.join('')).toContain('host tools are not available');
    expect((await diagnostics(events[0]?.turnId)).failed).toEqual([
      { source: 'host', message: 'The server refused the request: HTTP 503.' },
    ]);
  });

  it('SVE-21.5 tells of a tool whose schema cannot be used, and offers the others', async () => {
    const { visitor, requests, diagnostics } = await talk({
      host: [{ name: 'bad', inputSchema: 'none' }, { name: 'good' }],
      model: () => ({ text: 'Hello.' }),
    });
    const events = await visitor.stream({ message: { text: 'Hi' } });
    expect(offeredIn(requests[0])).toEqual(['spawn_tasks', 'good']);
    expect((await diagnostics(events[0]?.turnId)).refused).toEqual([
      { name: 'bad', source: 'host', rule: 'schema_missing' },
    ]);
  });

  it('SVE-2.2 that fails is told in the log without a word of the host, which may repeat the bearer', async () => {
    const { host, server, visitor } = await talk({ host: [{ name: 'find' }] });
    host.state.broken = true;
    await visitor.stream({ message: { text: 'Find' } });
    const lines = server.logged.filter((line) => line.includes('host tools are not available'));
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        code: 'http_refused',
        failure: 'The server refused the request: HTTP 503.',
      }),
    ]);
    expect(lines.join('')).not.toContain('broken');
  });

  it('SVE-21.5 that does not come before the visitor stops the turn is no failure', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { server, visitorWith } = await talk({});
    const { port } = silent.address() as AddressInfo;
    const visitor = await visitorWith({ host_mcp_url: `http://127.0.0.1:${port}/mcp` });
    const asked = once(silent, 'request');
    const streaming = visitor.stream({ message: { text: 'Find' } });
    await asked;
    await visitor.stop(await visitor.lastTurn());
    expect((await streaming).map(({ type }) => type)).toEqual(['message.start', 'chat.title', 'message.end']);
    expect(server.logged.join('')).not.toContain('host tools are not available');
    silent.closeAllConnections();
    silent.close();
  });
});
