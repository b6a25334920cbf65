import { describe, expect, it } from 'vitest';
import { callOf, connected, textOf, toolOf } from './testing/opened.ts';
import { echo, serve, type Handler } from './testing/web.ts';

const SOON = { interval: 5 };

describe('a session over HTTP', () => {
  /** A server that gives session ids, and may forget them. */
  async function sessions() {
    const known = new Set<string>();
    let count = 0;
    const peer = await serve({ echo, renamed: echo }, (posted, response) => {
      if (posted.method === 'initialize') {
        known.add(`session-${++count}`);
        response.setHeader('mcp-session-id', `session-${count}`);
        return false;
      }
      return known.has(String(posted.headers['mcp-session-id'])) ? false : response.writeHead(404).end();
    });
    return { ...peer, forget: () => known.clear() };
  }

  it('A-05 SAI-42.3 that is lost is reported as lost, sent once, and begins anew only by a new start', async () => {
    const { definition, requests, forget } = await sessions();
    const connection = await connected(definition);
    const tool = toolOf(connection, 'echo');
    expect(textOf(await connection.call(tool, {}))).toBe('echo');
    forget();
    const before = requests.length;
    await expect(connection.call(tool, {})).rejects.toMatchObject({
      code: 'session_lost',
      effects: 'possible',
    });
    expect(requests.length).toBe(before + 1);
    expect(await connection.ended).toMatchObject({
      failure: { code: 'session_lost' },
      containment: { contained: true },
    });
    await expect(connection.call(tool, {})).rejects.toMatchObject({ code: 'closed', effects: 'none' });
    expect(requests.length).toBe(before + 1);

    const again = await connected(definition);
    expect(requests[before + 1]?.headers).not.toHaveProperty('mcp-session-id');
    expect(textOf(await callOf(again, 'renamed'))).toBe('echo');
  });

  it('SAI-42.3 is lost also where the server says so with 400, and not by any other 400', async () => {
    let answer: string | object = '';
    const { definition } = await serve({ echo }, ({ method }, response) => {
      if (method === 'initialize') response.setHeader('mcp-session-id', 'one');
      if (method !== 'tools/call') return false;
      return response.writeHead(400).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
    const coded = (code: number, message: string) => ({ jsonrpc: '2.0', id: null, error: { code, message } });
    for (const lost of [
      coded(-32_000, 'Bad Request: No valid session ID provided'),
      coded(-32_000, 'Bad Request: Server not initialized'),
      coded(-32_600, 'Session expired'),
      'Invalid session ID',
    ]) {
      answer = lost;
      const connection = await connected(definition);
      await expect(callOf(connection, 'echo')).rejects.toMatchObject({ code: 'session_lost' });
      expect(await connection.ended).toMatchObject({ failure: { code: 'session_lost' } });
    }
    const connection = await connected(definition);
    for (const other of [coded(-32_602, 'unknown session "a" of the shell'), 'malformed', '{', 'null']) {
      answer = other;
      await expect(callOf(connection, 'echo')).rejects.toMatchObject({ code: 'http_refused' });
    }
  });

  it('SAI-42.3 is taken leave of at close', async () => {
    const { definition, requests } = await sessions();
    const connection = await connected(definition);
    expect(await connection.close()).toEqual({ contained: true });
    expect(requests.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 'session-1' } });
  });

  it('SAI-42.3 is left at once where the server does not answer its leave', async () => {
    const { definition } = await serve({ echo }, (posted, response) => {
      if (posted.method === 'initialize') response.setHeader('mcp-session-id', 'one');
      return posted.method === 'DELETE';
    });
    const connection = await connected(definition);
    expect(await connection.close()).toEqual({ contained: true });
  });
});

describe('a refresh over HTTP', () => {
  it('SAI-33.3 is fenced by a close, even when its last page has just come', async () => {
    let token: unknown;
    const hold: Handler = ({ params }) => {
      token = (params as { _meta?: { progressToken?: number } })['_meta']?.progressToken;
    };
    let lists = 0;
    const { definition } = await serve({ hold }, ({ id, method }, response) => {
      if (method !== 'tools/list' || ++lists === 1) return false;
      // One body brings the page and then, before anybody can look at it, the progress by which the test closes.
      const page = { jsonrpc: '2.0', id, result: { tools: [] } };
      const params = { progressToken: token, progress: 1 };
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(
        JSON.stringify([page, { jsonrpc: '2.0', method: 'notifications/progress', params }]),
      );
    });
    const connection = await connected(definition);
    const first = connection.catalog;
    const held = callOf(connection, 'hold', {}, { onProgress: () => void connection.close() });
    await expect.poll(() => token, SOON).toBeDefined();
    await expect(connection.refresh({ budget: 60_000 })).rejects.toMatchObject({ code: 'closed' });
    await expect(held).rejects.toMatchObject({ code: 'closed', effects: 'possible' });
    expect(connection.catalog).toBe(first);
  });
});
