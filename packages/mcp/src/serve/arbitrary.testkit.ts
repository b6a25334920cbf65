import * as fc from 'fast-check';
import { claim } from './testkit.ts';

const weird = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(null, '', 0, -1, 1.5, 1e21, [], {}, '__proto__', { __proto__: null }),
);
const method = fc.constantFrom(
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'notifications/initialized',
  'subscriptions/listen',
  '__proto__',
);

/** `_meta` that is, or nearly is, the claim of a modern request. */
const meta = fc.oneof(
  weird,
  fc.constant<unknown>(claim),
  fc.record(
    {
      'io.modelcontextprotocol/protocolVersion': fc.constantFrom<unknown>(
        '2026-07-28',
        '2026-07-28',
        '2025-11-25',
        'v9',
        1,
      ),
      'io.modelcontextprotocol/clientCapabilities': fc.constantFrom<unknown>(
        {},
        { roots: {} },
        { roots: 1 },
        1,
      ),
      'io.modelcontextprotocol/clientInfo': fc.constantFrom<unknown>(
        { name: 'a', version: '1' },
        { name: 'a' },
        { name: 'a', version: '1', title: 't' },
        'a',
      ),
      progressToken: fc.constantFrom<unknown>('t', 1, {}),
    },
    { requiredKeys: [] },
  ),
);

/** Nine times out of ten the first. */
function mostly(usual: fc.Arbitrary<unknown>, other: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: other, weight: 1 });
}

const params = mostly(
  fc.record(
    {
      _meta: meta,
      name: fc.oneof(fc.constantFrom<unknown>('add', 'toString', '__proto__'), weird),
      uri: fc.oneof(fc.constantFrom<unknown>('test://a', 'not a uri'), weird),
      arguments: fc.oneof(fc.constant<unknown>({ a: 1, b: 2 }), weird),
      cursor: weird,
      protocolVersion: fc.oneof(fc.constantFrom<unknown>('2025-11-25', '2026-07-28'), weird),
    },
    { requiredKeys: [] },
  ),
  weird,
);

const message = fc.record({
  jsonrpc: mostly(fc.constant('2.0'), weird),
  id: mostly(fc.constantFrom(1, 'a', 0), weird),
  method: mostly(method, weird),
  params,
});
const members = { result: weird, error: weird, params, method: weird, more: weird };

/** A JSON-RPC message, or something close to one: without some of its members, or with others. */
export const body: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: message, weight: 7 },
  {
    arbitrary: fc
      .tuple(message, fc.subarray(['id', 'params', 'method']))
      .map(([whole, without]) =>
        Object.fromEntries(Object.entries(whole).filter(([key]) => !without.includes(key))),
      ),
    weight: 2,
  },
  {
    arbitrary: fc
      .tuple(message, fc.record(members, { requiredKeys: [] }))
      .map(([whole, more]) => ({ ...whole, ...more })),
    weight: 1,
  },
  { arbitrary: weird, weight: 1 },
);

const header = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });

/** Headers that fit some of those messages. */
export const headers = fc
  .record({
    'content-type': fc.constant('application/json'),
    accept: header('application/json, text/event-stream', '*/*'),
    'mcp-protocol-version': header('2025-11-25', '2025-03-26', '2026-07-28', 'v9', ''),
    'mcp-method': header('tools/list', 'tools/call', 'server/discover', 'ping', ''),
    'mcp-name': header('add', '=?base64?YWRk?=', '=?base64?!?=', ''),
  })
  .map((all) => Object.entries(all).filter((one): one is [string, string] => one[1] !== undefined))
  .map((entries): Record<string, string> => Object.fromEntries(entries));
