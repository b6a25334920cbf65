import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import './memory-probe.ts';
import { convertToModelMessages, streamText, type UIMessage } from 'ai';

/** What the handler says when it listens. */
export interface HandlerReady {
  readonly url: string;
}

const [baseURL = ''] = process.argv.slice(2);
const provider = createOpenAICompatible({ name: 'fake', baseURL, includeUsage: true });

const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('disconnect', () => process.exit(0));
const { port } = server.address() as AddressInfo;
process.send?.({ url: `http://127.0.0.1:${port}/api/chat` } satisfies HandlerReady);

/** As the documents of the package have it for node:http: nothing is stored, nobody is asked who they are. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { messages } = (await json(request)) as { messages: UIMessage[] };
  const result = streamText({ model: provider('m'), messages: await convertToModelMessages(messages) });
  await result.pipeUIMessageStreamToResponse(response);
}
