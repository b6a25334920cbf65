import { describe, expect, it } from 'vitest';
import { connect } from '../connect.ts';
import { callOf, connected, textOf } from './testing/opened.ts';
import { listed } from './testing/peer.ts';
import { echo, FILL, json, serve, writeFilled } from './testing/web.ts';

describe('a start over HTTP', () => {
  it('SAI-32.5 sends no HEAD, and its own headers with every request', async () => {
    const { definition, requests, methods } = await serve({ echo });
    const headers = { authorization: 'Bearer of-visitor' };
    const connection = await connected({ ...definition, headers });
    expect(textOf(await callOf(connection, 'echo'))).toBe('echo');
    expect(methods().filter((method) => method !== 'GET')).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
      'tools/call',
    ]);
    expect(requests.every((request) => request.headers.authorization === 'Bearer of-visitor')).toBe(true);
    expect(requests.every((request) => !('portolan-exchange' in request.headers))).toBe(true);
    expect(connection).toMatchObject({ pid: undefined, serverInfo: { name: 'web' }, revision: '2025-11-25' });
  });

  it('SAI-32.5 offers no roots, whatever folder the project is', async () => {
    const { definition, requests } = await serve({ echo });
    await connected(definition, { roots: [{ uri: 'file:///project', name: 'project' }] });
    expect(requests[0]?.params).toMatchObject({ capabilities: {} });
    expect(requests[0]?.params).not.toHaveProperty('capabilities.roots');
  });

  it.each([
    ['a refusal', 401, 'http_refused', { code: 401, message: 'go away' }],
    ['a missing endpoint', 404, 'http_refused', { code: 404, message: 'go away' }],
  ])('SAI-32.3 fails by %s, in its phase', async (_, status, code, peer) => {
    const { definition } = await serve({}, (_posted, response) => response.writeHead(status).end('go away'));
    await expect(connect(definition, { budget: 60_000 })).rejects.toMatchObject({
      code,
      peer,
      phase: 'initialize',
    });
  });

  it('SAI-32.3 fails where nobody listens, and says that nothing went out', async () => {
    const { definition, server } = await serve({});
    server.close();
    await expect(connect(definition, { budget: 60_000 })).rejects.toMatchObject({
      code: 'unreachable',
      effects: 'none',
      message: 'The connection to the server failed: ECONNREFUSED.',
    });
  });

  it('SAI-33.4 fails by a list over 48 MiB, whether its tools are as large or its cursors', async () => {
    const tools = (page: number) => ({
      tools: [listed(`t${page}`, { description: FILL })],
      nextCursor: `${page}`,
    });
    const cursor = (page: number) => ({ tools: [listed(`t${page}`)], nextCursor: FILL });
    for (const second of [tools, cursor]) {
      let page = 0;
      const { definition } = await serve({}, ({ id, method }, response) => {
        if (method !== 'tools/list') return false;
        page += 1;
        const result = page === 2 ? second(page) : tools(page);
        response.writeHead(200, { 'content-type': 'application/json' });
        return writeFilled(response, { jsonrpc: '2.0', id, result }, 25 * 1024 * 1024);
      });
      await expect(connect(definition, { budget: 60_000 })).rejects.toMatchObject({
        code: 'catalog_too_large',
      });
      expect(page).toBe(2);
    }
  });

  it('SAI-32.1 has one budget over all pages', async () => {
    let isSilent = false;
    const { definition } = await serve({}, ({ method }) => isSilent && method === 'tools/list');
    // The first start of a process loads much, on its own time.
    await connected(definition);
    isSilent = true;
    await expect(connect(definition, { budget: 3_000 })).rejects.toMatchObject({
      code: 'timeout',
      phase: 'tools/list',
    });
  });

  it('SAI-32.1 ends at its end also where the end of the handshake is never taken', async () => {
    const caller = new AbortController();
    const { definition } = await serve({}, ({ method }) => {
      if (method === 'notifications/initialized') caller.abort();
      return caller.signal.aborted;
    });
    const { signal } = caller;
    await expect(connect(definition, { budget: 60_000, signal })).rejects.toMatchObject({
      code: 'cancelled',
      phase: 'initialized',
    });
  });

  it('SAI-42.2 refuses an address of our own before anything is sent', async () => {
    const { definition, requests } = await serve({ echo });
    const port = Number(definition.url.port);
    const isOurs = (address: string, at: number) => address === '127.0.0.1' && at === port;
    const url = new URL(`http://localhost:${port}/mcp`);
    await expect(connect({ ...definition, url }, { budget: 60_000, isOurs })).rejects.toMatchObject({
      code: 'unreachable',
      effects: 'none',
      message: 'The connection to the server failed: the address is one of our own listeners.',
    });
    expect(requests).toEqual([]);
  });

  it('SAI-42.1 speaks 2026-07-28 where the endpoint asks for it in its refusal', async () => {
    const data = { supported: ['2026-07-28'], requested: '2025-11-25' };
    const inputSchema = {
      type: 'object',
      properties: {
        place: { type: 'object', properties: { name: { type: 'string', 'x-mcp-header': 'Place' } } },
        note: { type: 'string', 'x-mcp-header': 'Note' },
        count: { type: 'integer', 'x-mcp-header': 'Count' },
        absent: { type: 'string', 'x-mcp-header': 'Absent' },
        plain: { type: 'string' },
      },
    };
    const { definition, requests, methods } = await serve({ echo }, (posted, response) => {
      const { id, method } = posted;
      if (method === 'initialize') {
        const error = { code: -32022, message: 'unsupported', data };
        return response
          .writeHead(400, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      }
      if (method === 'tools/list')
        return json(response, posted, { tools: [listed('echo', { inputSchema })] });
      if (method !== 'server/discover') return false;
      const supported = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
      return json(response, posted, {
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
        ...supported,
      });
    });
    const connection = await connected(definition);
    const args = { place: { name: 'Tallinn' }, note: ' õ ', count: 3, plain: 'x' };
    expect(textOf(await callOf(connection, 'echo', args))).toBe('echo');
    expect(methods()).toEqual(['initialize', 'server/discover', 'tools/list', 'tools/call']);
    expect(requests[3]?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
      'mcp-param-place': 'Tallinn',
      'mcp-param-note': '=?base64?IMO1IA==?=',
      'mcp-param-count': '3',
    });
    expect(
      Object.keys(requests[3]?.headers ?? {}).filter((name) => name.startsWith('mcp-param-')),
    ).toHaveLength(3);
  });
});
