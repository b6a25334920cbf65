import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createSvedaHost } from './index.ts';

let server: Server | undefined;
afterEach(() => server?.close());

/** A server on a real socket that answers as told and keeps what it was asked. */
async function answering(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: { path: string | undefined; key: unknown; body: unknown }[] = [];
  server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      asked.push({ path: request.url, key: request.headers['x-sveda-host-key'], body: JSON.parse(text) });
      answer(request, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { host: createSvedaHost({ origin: `http://127.0.0.1:${port}`, hostKey: 'host-key' }), asked };
}

describe('the host package', () => {
  it('SVE-27.1 mints with the host key and revokes', async () => {
    const answer = { token: 'sveda_embed_x', visitor_id: 'v1', expires_in: 600 };
    const { host, asked } = await answering((_, response) => void response.end(JSON.stringify(answer)));
    const pair = { host_mcp_url: 'https://app.example.com/mcp', host_mcp_token: 'bearer' };
    expect(await host.mint({ visitor_id: 'v1', ttl: 600, ...pair })).toEqual(answer);
    await host.revoke('sveda_embed_x');
    expect(asked).toEqual([
      { path: '/sveda/embed/token', key: 'host-key', body: { visitor_id: 'v1', ttl: 600, ...pair } },
      { path: '/sveda/embed/token/revoke', key: 'host-key', body: { token: 'sveda_embed_x' } },
    ]);
  });

  it('SVE-27.2 tells a refusal by its code, and a silent server as unavailable', async () => {
    const { host } = await answering(
      (_, response) =>
        void response.writeHead(422).end(JSON.stringify({ error: 'invalid_request', message: 'No.' })),
    );
    await expect(host.mint({})).rejects.toMatchObject({
      code: 'invalid_request',
      status: 422,
      message: 'No.',
    });
    const gone = createSvedaHost({ origin: 'http://127.0.0.1:1', hostKey: 'host-key' });
    await expect(gone.mint({})).rejects.toMatchObject({ code: 'unavailable' });
  });
});
