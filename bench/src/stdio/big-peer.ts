import { createInterface } from 'node:readline';

/** A minimal MCP server on stdio whose one tool answers a text of so many bytes, on one line. */
const [bytes = '1'] = process.argv.slice(2);
const text = 'x'.repeat(Number(bytes));
const tool = { name: 'big', description: 'Answers a long text.', inputSchema: { type: 'object' } };

createInterface(process.stdin).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Message;
  const result = resultOf(method, params);
  if (id === undefined) return;
  if (result) answer(id, `"result":${result}`);
  else answer(id, '"error":{"code":-32601,"message":"Method not found"}');
});

interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}

const called = JSON.stringify({ content: [{ type: 'text', text }] });

function resultOf(method: string, params: Message['params']): string | undefined {
  if (method === 'tools/call') return called;
  if (method === 'tools/list') return JSON.stringify({ tools: [tool] });
  if (method !== 'initialize') return undefined;
  const serverInfo = { name: 'big-peer', version: '1.0.0' };
  return JSON.stringify({
    protocolVersion: params?.protocolVersion,
    capabilities: { tools: {} },
    serverInfo,
  });
}

function answer(id: number | string, rest: string): void {
  process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}}\n`);
}
