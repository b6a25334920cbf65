import type { Sent } from './exchange.ts';

const claim = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const json = { 'content-type': 'application/json' };
const both = { ...json, accept: 'application/json, text/event-stream' };
const legacyHeaders = { ...both, 'mcp-protocol-version': '2025-11-25' };

type Headers = Readonly<Record<string, string>>;

function sent(name: string, body: unknown, headers: Headers, method = 'POST'): Sent {
  return { name, method, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

function legacy(name: string, method: string, params?: object, headers: Headers = legacyHeaders): Sent {
  return sent(`legacy: ${name}`, { jsonrpc: '2.0', id: 1, method, params }, headers);
}

function modern(
  name: string,
  method: string,
  params: Record<string, unknown> = {},
  extra: Headers = {},
): Sent {
  const named = params['name'] ?? params['uri'];
  const headers = {
    ...both,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof named === 'string' && { 'mcp-name': named }),
    ...extra,
  };
  return sent(
    `modern: ${name}`,
    { jsonrpc: '2.0', id: 1, method, params: { _meta: claim, ...params } },
    headers,
  );
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const join = (words: unknown) => ({ name: 'test_join', arguments: { words } });
const greeting = { uri: 'test://static-text' };
const nowhere = { uri: 'test://nowhere' };

/** What the official suite does not send, or not in every way: the edges of the protocol, once an era. */
export const requests: readonly Sent[] = [
  sent('edge: no JSON', '{', both),
  sent('edge: nothing', '', both),
  sent('edge: a batch', [ping], legacyHeaders),
  sent('edge: an empty batch', [], legacyHeaders),
  sent('edge: a batch with a modern request', [{ ...ping, params: { _meta: claim } }], legacyHeaders),
  sent('edge: a number', 7, legacyHeaders),
  sent('edge: a null id', { ...ping, id: null }, legacyHeaders),
  sent('edge: a fraction as id', { ...ping, id: 1.5 }, legacyHeaders),
  sent('edge: no version', { id: 1, method: 'ping' }, legacyHeaders),
  sent('edge: a member too many', { ...ping, more: 1 }, legacyHeaders),
  sent('edge: an unasked answer', { jsonrpc: '2.0', id: 1, result: {} }, legacyHeaders),
  sent('edge: no Content-Type', ping, { accept: both.accept, 'content-type': '' }),
  sent('edge: another Content-Type', ping, { ...both, 'content-type': 'text/plain' }),
  sent('edge: a Content-Type with a charset', ping, {
    ...both,
    'content-type': 'application/json;charset=utf-8',
  }),
  sent('edge: no Accept', ping, json),
  sent('edge: Accept JSON only', ping, { ...both, accept: 'application/json' }),
  sent('edge: Accept anything', ping, { ...both, accept: '*/*' }),
  sent('edge: above the limit of the SDK', JSON.stringify(ping).padEnd(4 * 1024 * 1024 + 1), both),
  sent('edge: above our limit', JSON.stringify(ping).padEnd(1024 * 1024 + 1), both),
  sent('edge: GET', '', { accept: 'text/event-stream' }, 'GET'),
  sent('edge: DELETE', '', {}, 'DELETE'),
  sent('edge: PUT', '{}', both, 'PUT'),

  legacy('initialize at its newest', 'initialize', opening('2025-11-25')),
  legacy('initialize at 2025-06-18', 'initialize', opening('2025-06-18')),
  legacy('initialize at 2024-10-07', 'initialize', opening('2024-10-07')),
  legacy('initialize at an unknown revision', 'initialize', opening('1999-01-01')),
  legacy('initialize at a modern revision', 'initialize', opening('2026-07-28')),
  legacy('initialize without anything', 'initialize', {}),
  legacy('initialize with a revision only', 'initialize', { protocolVersion: '2025-11-25' }),
  legacy('initialize with a modern header', 'initialize', opening('2025-11-25'), {
    ...both,
    'mcp-protocol-version': '2026-07-28',
  }),
  legacy('no revision in the header', 'ping', undefined, both),
  legacy('an unknown revision in the header', 'ping', undefined, { ...both, 'mcp-protocol-version': 'v9' }),
  legacy('a modern revision in the header', 'ping', undefined, {
    ...both,
    'mcp-protocol-version': '2026-07-28',
  }),
  legacy('an unknown method', 'no/such'),
  legacy('discover without a claim', 'server/discover'),
  legacy('a call', 'tools/call', join(['one', 'two'])),
  legacy('a call whose output is a list', 'tools/call', { name: 'test_count', arguments: { n: 2 } }),
  legacy('a call that does not fit', 'tools/call', join('one')),
  legacy('a call that breaks', 'tools/call', { name: 'test_broken' }),
  legacy('a call of an unknown tool', 'tools/call', { name: 'nosuch' }),
  legacy('a call of no tool', 'tools/call', {}),
  legacy('a call with a list of arguments', 'tools/call', { name: 'test_join', arguments: [1, 2] }),
  legacy('a list', 'tools/list'),
  legacy('a list with an unknown cursor', 'tools/list', { cursor: 'nowhere' }),
  legacy('a list with a number as cursor', 'tools/list', { cursor: 1 }),
  legacy('a list of resources', 'resources/list'),
  legacy('a list of templates', 'resources/templates/list'),
  legacy('a read', 'resources/read', greeting),
  legacy('a read of nothing', 'resources/read', nowhere),
  legacy('a read without a URI', 'resources/read', {}),
  sent('legacy: a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, legacyHeaders),

  modern('discover', 'server/discover'),
  modern(
    'an unknown revision',
    'server/discover',
    { _meta: { ...claim, ...revision('2099-01-01') } },
    { 'mcp-protocol-version': '2099-01-01' },
  ),
  modern(
    'a legacy revision',
    'tools/list',
    { _meta: { ...claim, ...revision('2025-11-25') } },
    { 'mcp-protocol-version': '2025-11-25' },
  ),
  modern('another revision in the header', 'tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }),
  modern('a claim without capabilities', 'tools/list', { _meta: revision('2026-07-28') }),
  modern('a claim without a revision', 'tools/list', { _meta: {} }),
  modern('another method in the header', 'tools/list', {}, { 'mcp-method': 'tools/call' }),
  modern('a call', 'tools/call', join(['one', 'two'])),
  modern('a call whose output is a list', 'tools/call', { name: 'test_count', arguments: { n: 2 } }),
  modern('a call that does not fit', 'tools/call', join('one')),
  modern('a call that breaks', 'tools/call', { name: 'test_broken' }),
  modern('a call of an unknown tool', 'tools/call', { name: 'nosuch' }),
  modern('a call of no tool', 'tools/call', {}),
  modern('a call named otherwise in the header', 'tools/call', join(['one', 'two']), {
    'mcp-name': 'test_count',
  }),
  modern('a call named in broken Base64', 'tools/call', join(['one', 'two']), { 'mcp-name': '=?base64?!?=' }),
  modern('a call without its header parameter', 'tools/call', region('north')),
  modern('a call with its header parameter', 'tools/call', region('north'), { 'mcp-param-region': 'north' }),
  modern('a list', 'tools/list'),
  modern('a list without Accept', 'tools/list', {}, { accept: '' }),
  modern('a list with an unknown cursor', 'tools/list', { cursor: 'nowhere' }),
  modern('a list of resources', 'resources/list'),
  modern('a list of templates', 'resources/templates/list'),
  modern('a read', 'resources/read', greeting),
  modern('a read of nothing', 'resources/read', nowhere),
  modern('initialize', 'initialize', opening('2026-07-28')),
  modern('ping', 'ping'),
  modern('subscriptions/listen', 'subscriptions/listen', { notifications: {} }),
];

function opening(protocolVersion: string): Record<string, unknown> {
  return { protocolVersion, capabilities: {}, clientInfo: { name: 'client', version: '1.0.0' } };
}

function revision(version: string): Record<string, string> {
  return { 'io.modelcontextprotocol/protocolVersion': version };
}

function region(name: string): Record<string, unknown> {
  return { name: 'test_x_mcp_header', arguments: { region: name } };
}
