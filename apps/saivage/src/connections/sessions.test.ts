import { createServer } from 'node:http';
import { json, serve, text, type Handler } from '@portolan/mcp/connect/testing';
import { expect, it } from 'vitest';
import { openReal } from '../testing/connections.ts';

/** A server over HTTP that can be restarted: then it has forgotten its sessions, and has a tool of another name. */
async function forgetful() {
  let sessions = 0;
  let session = '';
  let tool = 'before';
  const ping: Handler = (posted, response) => json(response, posted, text('pong'));
  const { definition, requests } = await serve({ before: ping, after: ping }, (posted, response) => {
    if (posted.method === 'initialize') {
      session = `session-${++sessions}`;
      response.setHeader('mcp-session-id', session);
      return false;
    }
    if (posted.headers['mcp-session-id'] !== session) return void response.writeHead(404).end();
    if (posted.method !== 'tools/list') return false;
    return json(response, posted, { tools: [{ name: tool, inputSchema: { type: 'object' } }] });
  });
  const restart = () => {
    session = 'none';
    tool = 'after';
  };
  return { url: definition.url.href, requests, restart };
}

it('A-05 SAI-42.3 SAI-35.4 a session that the server has forgotten is reported once, and the server is no longer running', async () => {
  const { url, requests, restart } = await forgetful();
  const { connections } = openReal();
  connections.register('web', { transport: 'streamable-http', url });
  const first = await connections.start('web');
  const call = (ids: { bindingId: string; catalogId: string }, toolName: string) =>
    connections.call({ ...ids, serverName: 'web', toolName, args: {} });
  expect(await call(first, 'before')).toMatchObject({ content: [{ text: 'pong' }] });

  restart();
  const sent = requests.length;
  await expect(call(first, 'before')).rejects.toMatchObject({
    code: 'session_lost',
    status: 502,
    effects: 'possible',
    serverStatus: 'error',
    message: 'The server no longer knows the session.',
  });
  expect(requests.slice(sent).map(({ method }) => method)).toEqual(['tools/call']);
  expect(connections.view('web')).toMatchObject({
    status: 'error',
    toolCount: 0,
    failure: { code: 'session_lost' },
  });
  await expect(call(first, 'before')).rejects.toMatchObject({ code: 'not_running', effects: 'none' });

  const second = await connections.restart('web');
  const initialize = requests.findLast(({ method }) => method === 'initialize');
  expect(initialize?.headers['mcp-session-id']).toBeUndefined();
  expect([second.bindingId, second.catalogId]).not.toEqual([first.bindingId, first.catalogId]);
  expect(connections.tools('web').tools.map(({ name }) => name)).toEqual(['after']);
  const calls = () => requests.filter(({ method }) => method === 'tools/call').length;
  const before = calls();
  await expect(call(first, 'after')).rejects.toMatchObject({ code: 'binding_stale', effects: 'none' });
  expect(calls()).toBe(before);
  expect(await call(second, 'after')).toMatchObject({ content: [{ text: 'pong' }] });
});

it('SAI-44.7 a restart over HTTP takes leave of the session, and touches nothing else', async () => {
  const { url, requests } = await forgetful();
  const { connections } = openReal();
  connections.register('web', { transport: 'streamable-http', url });
  await connections.start('web');
  const begun = requests.length;
  await connections.restart('web');
  const [leave, hello] = requests.slice(begun);
  expect([leave?.method, leave?.headers['mcp-session-id']]).toEqual(['DELETE', 'session-1']);
  expect([hello?.method, hello?.headers['mcp-session-id']]).toEqual(['initialize', undefined]);
  expect(connections.view('web')).toMatchObject({ status: 'running', processId: null });
});

it('SAI-42.2 an address of our own is refused at the start, before anything is sent', async () => {
  let asked = 0;
  const ours = createServer((_, response) => {
    asked += 1;
    response.end();
  });
  await new Promise<void>((resolve) => ours.listen(0, '127.0.0.1', resolve));
  const address = ours.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { connections } = openReal({ isOurs: (host, its) => host === '127.0.0.1' && its === port });
  connections.register('self', { transport: 'streamable-http', url: `http://localhost:${port}/mcp` });
  await expect(connections.start('self')).rejects.toMatchObject({
    status: 500,
    effects: 'none',
    serverStatus: 'error',
  });
  expect(asked).toBe(0);
  await new Promise((resolve) => ours.close(resolve));
});
