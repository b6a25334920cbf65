import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { answerOf, questions, stamped } from './conversation.ts';

/** What the provider says when it listens. */
export interface ProviderReady {
  /** Up to /v1. */
  readonly baseURL: string;
}

const [tokens = '1', paceMs = '0'] = process.argv.slice(2);
const words = answerOf({ tokens: Number(tokens), paceMs: Number(paceMs) }).split(' ');
let letGo: (() => void)[] = [];

process.on('message', (message) => {
  if (message !== 'let go') return;
  for (const go of letGo) go();
  letGo = [];
});
process.on('disconnect', () => process.exit(0));

const server = createServer((incoming, outgoing) => {
  answer(incoming, outgoing).catch(() => outgoing.destroy());
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
process.send?.({ baseURL: `http://127.0.0.1:${port}/v1` } satisfies ProviderReady);

/** Chat Completions, streaming: a stamped word a chunk. The idle question gets its first word, and the rest once it is let go. */
async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const isIdle = (await text(incoming)).includes(questions.idle);
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  outgoing.write(delta({ role: 'assistant', content: '' }));
  for (const [index, word] of words.entries()) {
    outgoing.write(delta({ content: `${index === 0 ? '' : ' '}${stamped(word)}` }));
    if (!isIdle) await wait(Number(paceMs));
    else if (index === 0) await new Promise<void>((resolve) => letGo.push(resolve));
  }
  outgoing.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
  outgoing.write(
    chunk({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } }),
  );
  outgoing.end('data: [DONE]\n\n');
}

function delta(content: object): string {
  return chunk({ choices: [{ index: 0, delta: content }] });
}

function chunk(body: object): string {
  return `data: ${JSON.stringify(body)}\n\n`;
}
