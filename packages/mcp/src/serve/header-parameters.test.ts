import { describe, expect, it } from 'vitest';
import { Misconfigured } from '../errors.ts';
import { surface } from './surface.ts';
import { doing, legacyRequest, modernRequest, mounted, said } from './testkit.ts';

const answer = () => Promise.resolve({ content: [] });

describe('a surface with a header parameter', () => {
  const marked = (properties: object) => {
    const descriptor = { name: 'marked', inputSchema: { type: 'object', properties } };
    return surface({
      server: { name: 'test', release: '1.0.0' },
      tools: [doing('marked', answer, { descriptor })],
    });
  };

  it.each([
    ['a number', { a: { type: 'number', 'x-mcp-header': 'A' } }],
    ['no header name', { a: { type: 'string', 'x-mcp-header': 'A b' } }],
    ['an element of a list', { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } }],
    [
      'one name twice',
      { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } },
    ],
  ])('cannot be made when it marks %s', (_fault, properties) => {
    expect(() => marked(properties)).toThrow(Misconfigured);
  });

  it('can be made when it marks a nested primitive', () => {
    const nested = {
      at: { type: 'object', properties: { lat: { type: 'integer', 'x-mcp-header': 'Lat' } } },
    };
    expect(() => marked(nested)).not.toThrow();
  });
});

describe('a header parameter', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      place: { type: 'object', properties: { zone: { type: 'string', 'x-mcp-header': 'Zone' } } },
      count: { type: 'integer', 'x-mcp-header': 'Count' },
    },
  };
  const marked = doing('marked', answer, { descriptor: { name: 'marked', inputSchema } });

  const call = async (input: object, headers: Record<string, string>) => {
    const request = modernRequest('tools/call', { name: 'marked', arguments: input });
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    const { status, body } = await said(mounted([marked]).serve, request);
    return body.error ? [status, body.error.code] : [status];
  };

  it.each([
    [{}, {}],
    [{ place: null }, { 'mcp-param-zone': 'ignored' }],
    [{ place: { zone: 'north' } }, { 'mcp-param-zone': 'north' }],
    [{ place: { zone: 'põhi' } }, { 'mcp-param-zone': '=?base64?cMO1aGk=?=' }],
    [{ count: 42 }, { 'mcp-param-count': '42.0' }],
  ])('that repeats its argument is let through: %j %j', async (input, headers) => {
    expect(await call(input, headers)).toEqual([200]);
  });

  it.each([
    [{ place: { zone: 'north' } }, {}],
    [{ place: { zone: 'north' } }, { 'mcp-param-zone': 'south' }],
    [{ place: { zone: 'Hello' } }, { 'mcp-param-zone': '=?base64?SGVsbG8?=' }],
    [{ place: { zone: '\uFFFD' } }, { 'mcp-param-zone': '=?base64?/w==?=' }],
    [{ count: 42 }, { 'mcp-param-count': '43' }],
  ])('that does not is a header mismatch: %j %j', async (input, headers) => {
    expect(await call(input, headers)).toEqual([400, -32020]);
  });

  it('is not looked for in the legacy era', async () => {
    const request = legacyRequest('tools/call', { name: 'marked', arguments: { count: 1 } });
    expect((await said(mounted([marked]).serve, request)).status).toBe(200);
  });

  it('is listed as the tool marks it', async () => {
    const { body } = await said(mounted([marked]).serve, modernRequest('tools/list'));
    expect(body.result.tools[0].inputSchema).toEqual(inputSchema);
  });
});
