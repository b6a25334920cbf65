import { request as ask, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { createGunzip } from 'node:zlib';
import { startModelServer } from '@portolan/agent/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nginxProgram, startNginx } from '../testing/nginx.ts';
import { testNodes, yamlFor } from '../testing/nodes.ts';
import { closing } from '../testing/opened.ts';

const TOKENS = 25;
const text = Array.from({ length: TOKENS }, (_, index) => `token${index}`).join(' ');

/** How far a reader has come: to the head of the answer, then token by token. */
function openProgress() {
  const reached = { tokens: -1 };
  let waiting: (() => void)[] = [];
  return {
    reach(tokens: number): void {
      reached.tokens = tokens;
      for (const look of waiting.splice(0)) look();
    },
    async until(tokens: number): Promise<void> {
      while (reached.tokens < tokens) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

let progress = openProgress();
let model: Awaited<ReturnType<typeof startModelServer>>;
let nodes: Awaited<ReturnType<typeof testNodes>>;
let headers: Record<string, string>;
beforeAll(async () => {
  // Each token goes out when the reader has the one before it, and the first when he has the head: what is held back ends nothing.
  model = await startModelServer(() => {
    const reader = progress;
    return { text, before: (chunk) => reader.until(Math.min(chunk - 1, TOKENS)) };
  });
  nodes = await testNodes(yamlFor(model), 1);
  headers = await nodes.mint({ visitor_id: 'v' });
});
afterAll(async () => {
  await nodes.close();
  await model.close();
});

/** Posts a message and reads the answer to its end, telling the model how far it has come. */
async function read(place: { readonly port: string } | { readonly socketPath: string }) {
  const reader = openProgress();
  progress = reader;
  const sent = ask({
    ...place,
    path: '/sveda/stream',
    method: 'POST',
    agent: false,
    headers: { ...headers, 'accept-encoding': 'gzip', 'content-type': 'application/json' },
  });
  sent.end(JSON.stringify({ message: { text: 'Count' } }));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  reader.reach(0);
  const isZipped = response.headers['content-encoding'] === 'gzip';
  let whole = '';
  for await (const chunk of isZipped ? response.pipe(createGunzip()) : response) {
    whole += String(chunk);
    reader.reach(whole.match(/token\d+"/g)?.length ?? 0);
  }
  return { response, whole, isZipped };
}

describe('C-01 a stream behind a proxy', () => {
  it('SVE-11.3 says that it may be neither buffered nor changed, is not compressed, and its head goes out before the first token', async () => {
    const { response, whole } = await read({ port: new URL(nodes.origins[0] ?? '').port });
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-sveda-protocol-version': '1',
    });
    expect(response.headers['content-encoding']).toBeUndefined();
    expect(whole).toContain('data: [DONE]');
  });

  it.skipIf(nginxProgram === undefined)(
    'arrives token by token through the nginx configuration that we ship, with default buffering and gzip on',
    async () => {
      const plain = 'gzip on;';
      const all = 'gzip on; gzip_types *; gzip_proxied any; gzip_http_version 1.0;';
      for (const [directives, zipped] of [
        [plain, false],
        [all, true],
      ] as const) {
        const nginx = closing(await startNginx(nginxProgram ?? '', nodes.origins[0] ?? '', directives));
        const { isZipped, whole } = await read(nginx);
        expect([directives, isZipped]).toEqual([directives, zipped]);
        expect(whole).toContain('data: [DONE]');
      }
    },
  );
});
