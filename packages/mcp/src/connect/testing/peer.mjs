// An MCP server on stdio that does what its script says, also what no server should do.
// Its first argument is the script (see peer.ts); each message that it receives is appended to `script.log`.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const script = JSON.parse(process.argv[2]);
const write = (text) => new Promise((done) => process.stdout.write(text, done));
const say = (message) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const waiting = new Map();
let page = 0;

if (script.log) appendFileSync(script.log, `${JSON.stringify({ method: 'start' })}\n`);
if (script.stderr) process.stderr.write(script.stderr);
if (script.deaf) {
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => undefined);
  setInterval(() => undefined, 1_000);
}
if (script.nap) spawn('sleep', [String(script.nap)], { stdio: 'ignore', detached: true }).unref();

/** Asks the client, and answers what it answers. */
function ask(id, method) {
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    void say({ id, method });
  });
}

const answers = {
  async initialize() {
    await pause(script.initializeMs ?? 0);
    for (const text of script.beforeInitialize ?? []) await write(text);
    if (script.exit !== undefined) process.exit(script.exit);
    if (script.refuse) return { error: { code: -32022, message: 'no', data: { supported: script.refuse } } };
    const serverInfo = { name: 'scripted', version: '1' };
    return {
      result: { protocolVersion: script.revision ?? '2025-11-25', capabilities: { tools: {} }, serverInfo },
    };
  },
  'server/discover': () => ({
    result: {
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'scripted', version: '2' } },
    },
  }),
  async 'tools/list'() {
    await pause(script.pageMs ?? 0);
    if (script.pageAsks) await ask('in-page', script.pageAsks);
    if (script.endless) return { result: { tools: [], nextCursor: String(page++) } };
    const pages = script.pages ?? [{ tools: TOOLS }];
    const next = pages[page++ % pages.length];
    for (const text of next.before ?? []) await write(text);
    if (next.silent) await new Promise(() => undefined);
    return next.error
      ? { error: next.error }
      : { result: { resultType: 'complete', ...next, before: undefined } };
  },
  'tools/call': ({ name, arguments: args = {}, _meta }) =>
    script.sayNames ? text(name) : tools[name](args, _meta),
};

/** What a request is answered; nothing where the server does not know its method. */
function answerTo(method, params) {
  return script.legacy && method === 'server/discover' ? undefined : answers[method]?.(params);
}

const object = { type: 'object' };
const TOOLS = [
  'echo',
  'sized',
  'hang',
  'die',
  'garbage',
  'tail',
  'progress',
  'ask',
  'askLater',
  'slow',
  'raw',
  'fail',
].map((name) => ({
  name,
  inputSchema: object,
}));
const text = (value) => ({ result: { resultType: 'complete', content: [{ type: 'text', text: value }] } });

const tools = {
  echo: (args) => text(JSON.stringify(args)),
  raw: ({ result }) => ({ result }),
  fail: () => ({ error: { code: -32602, message: 'secret '.repeat(1_000) } }),
  hang: () => new Promise(() => undefined),
  die: () => process.exit(3),
  slow: async ({ ms }) => (await pause(ms), text('done')),
  /** All but the last byte of a line without its end, and nothing after it. */
  tail: async ({ line }) => (await write(Buffer.from(line).subarray(0, -1)), process.exit(0)),
  garbage: async ({ line }) => (await write(line), text('after')),
  async progress(_, { progressToken }) {
    for (const progress of [1, 2]) {
      await say({ method: 'notifications/progress', params: { progressToken, progress, total: 2 } });
    }
    return text('done');
  },
  ask: async ({ method }) => text(JSON.stringify(await ask('of-peer', method))),
  askLater: async ({ method }) => (setImmediate(() => void ask('idle', method)), text('answered before')),
  /** An answer of `repeat` times `fill`, or whose line has exactly `bytes`, written in pieces of `piece` bytes. */
  async sized({ bytes, fill = 'x', repeat, piece }, _, id) {
    const frame = (value) => JSON.stringify({ jsonrpc: '2.0', id, ...text(value) });
    const line = Buffer.from(`${frame(fill.repeat(repeat ?? bytes - frame('').length))}\n`);
    for (let from = 0; from < line.length; from += piece ?? line.length) {
      await write(line.subarray(from, from + (piece ?? line.length)));
    }
  },
};

createInterface({ input: process.stdin }).on('line', (line) => void take(line));

async function take(line) {
  const { id, method, params, result, error } = JSON.parse(line);
  if (script.log) appendFileSync(script.log, `${JSON.stringify({ method, params, id, result })}\n`);
  if (method === undefined) return waiting.get(id)?.(result ?? error);
  if (id === undefined) return undefined;
  const sized = method === 'tools/call' && params.name === 'sized';
  const answer = sized
    ? await tools.sized(params.arguments, undefined, id)
    : ((await answerTo(method, params)) ?? { error: { code: -32601, message: 'Method not found' } });
  return answer && say({ id, ...answer });
}
