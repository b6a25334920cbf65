import { createServer, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { z } from 'zod';
import { anyone, Refusal, toolsFor, type Caller, type Tool } from '../tool.ts';
import type { ServeOptions, SettledCall } from './options.ts';
import { allRevisions } from './revisions.ts';
import { serveMcp, type Serve } from './serve.ts';
import { surface } from './surface.ts';

export type Request = globalThis.Request;

const tool = toolsFor();

/** A tool that adds, and says no to a sum above 100. */
export const add: Tool = tool('add', {
  title: 'Add',
  says: 'Adds two numbers.',
  access: anyone,
  effect: 'reads',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  example: { a: 1, b: 2 },
}).run(({ a, b }) => {
  if (a + b > 100)
    return Promise.reject(new Refusal('invalid_input', 'The sum is above 100.', { most: 100 }));
  return Promise.resolve({ sum: a + b });
});

/** A tool of the given name that takes nothing and does what it is told. */
export function doing(name: string, run: Tool['run'], rest: Partial<Tool> = {}): Tool {
  const descriptor = { name, inputSchema: { type: 'object' } };
  return { name, access: anyone, effect: 'reads', example: {}, descriptor, run, ...rest };
}

export function callerWith(scopes: readonly string[], grants: readonly string[] = []): Caller {
  return { kind: 'test', name: 'tester', audience: 'https://example.test/mcp', scopes, grants };
}

/** A mount over `tools`, with what it told its listeners. */
export function mounted(tools: readonly Tool[], options: Partial<ServeOptions<undefined>> = {}) {
  const offered = surface({ server: { name: 'test', release: '1.0.0' }, tools });
  const settled: SettledCall[] = [];
  const errors: { error: unknown; reference: string }[] = [];
  const serve = serveMcp({
    surface: () => offered,
    deps: undefined,
    revisions: allRevisions,
    disconnect: 'cancels',
    observe: (call) => settled.push(call),
    onError: (error, { reference }) => errors.push({ error, reference }),
    newReference: () => 'ref-1',
    ...options,
  });
  return { serve, offered, settled, errors };
}

/** The headers of a good legacy request. */
export const legacyHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
};

export const claim = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The headers of a good modern request. */
export function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  };
}

export function ask(body: unknown, headers: Record<string, string> = legacyHeaders): Request {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Request('http://localhost/mcp', { method: 'POST', headers, body: text });
}

export function legacyRequest(method: string, params?: object): Request {
  return ask({ jsonrpc: '2.0', id: 1, method, params });
}

export function modernRequest(method: string, params: Record<string, unknown> = {}): Request {
  const name = params['name'] ?? params['uri'];
  const headers = modernHeaders(method, typeof name === 'string' ? name : undefined);
  return ask({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: claim } }, headers);
}

/** The plainest request of each era, as bodies. */
export const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
export const modernList = { ...list, params: { _meta: claim } };

/** What a mount answered, read. */
export interface Said {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- literal expectations say what it must be
  readonly body: any;
}

export async function said(serve: Serve, request: Request): Promise<Said> {
  const response = await serve(request);
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** Status, error code and id, which is all that a client branches on. */
export async function refusal(serve: Serve, request: Request): Promise<[number, unknown, unknown]> {
  const { status, body } = await said(serve, request);
  return [status, body?.error?.code, body?.id];
}

/** A promise and how to keep it. */
export function deferred<T>(): { promise: Promise<T>; resolve(value: T): void } {
  let keep: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => (keep = resolve));
  return { promise, resolve: keep };
}

/** A mount on a free loopback port. `dropped` is kept when the server has seen a connection end. */
export interface Listening {
  readonly url: string;
  readonly dropped: Promise<void>;
  close(): Promise<void>;
}

export async function listen(serve: Serve): Promise<Listening> {
  const dropped = deferred<void>();
  const listener = getRequestListener((request, { outgoing }) =>
    serve(request, outgoing instanceof ServerResponse ? { outgoing } : {}),
  );
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  server.on('connection', (socket) => socket.on('close', () => dropped.resolve()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    dropped: dropped.promise,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
