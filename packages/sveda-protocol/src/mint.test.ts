import { describe, expect, it } from 'vitest';
import { faultsOf, MintRequest } from './index.ts';

const pair = { host_mcp_url: 'https://app.example.com/mcp', host_mcp_token: 'host-mcp-secret' };

function faults(body: unknown) {
  const parsed = MintRequest.safeParse(body);
  return parsed.success ? [] : faultsOf(parsed.error);
}

function urlOf(length: number): string {
  return 'https://h/'.padEnd(length, 'x');
}

describe('the body of a mint', () => {
  it('SVE-1.1 takes the documented example and fills in the lifetime', () => {
    expect(MintRequest.parse({ visitor_id: 'visitor-123', ...pair })).toEqual({
      visitor_id: 'visitor-123',
      ...pair,
      ttl: 3600,
    });
  });

  it.each([
    ['nothing at all', {}],
    ['an http URL', { ...pair, host_mcp_url: 'http://127.0.0.1:8088/api/mcp' }],
    ['a URL of 2048 characters', { ...pair, host_mcp_url: urlOf(2048) }],
    ['a visitor of 64 characters', { visitor_id: 'v'.repeat(64) }],
    ['a lifetime of 60 s', { ttl: 60 }],
    [
      'grants',
      { policy: 'site', grants: { web: true, mcp: { allow: ['harbour_*', '*_get', '*'], maxMode: 'read' } } },
    ],
  ])('SVE-1.1 takes %s', (_, body) => {
    expect(faults(body)).toEqual([]);
  });

  it.each([
    ['only the URL', { host_mcp_url: pair.host_mcp_url }],
    ['only the token', { host_mcp_token: pair.host_mcp_token }],
    ['an empty URL alone', { host_mcp_url: '' }],
    ['half a pair among other faults', { host_mcp_token: 'x', visitor_id: '', stranger: 1 }],
  ])('SVE-1.1 names the pair rule for %s', (_, body) => {
    expect(faults(body)[0]).toEqual({
      pointer: '',
      message: 'host_mcp_url and host_mcp_token are required together.',
    });
  });

  it.each([
    ['an empty visitor', { visitor_id: '' }, '/visitor_id'],
    ['a visitor of 65 characters', { visitor_id: 'v'.repeat(65) }, '/visitor_id'],
    ['a null visitor', { visitor_id: null }, '/visitor_id'],
    ['an empty URL', { ...pair, host_mcp_url: '' }, '/host_mcp_url'],
    ['an empty token', { ...pair, host_mcp_token: '' }, '/host_mcp_token'],
    ['a token with a line break', { ...pair, host_mcp_token: 'a\r\nb: c' }, '/host_mcp_token'],
    ['a URL of 2049 characters', { ...pair, host_mcp_url: urlOf(2049) }, '/host_mcp_url'],
    ['white space before the URL', { ...pair, host_mcp_url: ' https://h/mcp' }, '/host_mcp_url'],
    ['white space within the URL', { ...pair, host_mcp_url: 'https://h/m cp' }, '/host_mcp_url'],
    ['a ws URL', { ...pair, host_mcp_url: 'ws://h/mcp' }, '/host_mcp_url'],
    ['a URL without a host', { ...pair, host_mcp_url: 'https://' }, '/host_mcp_url'],
    ['a lifetime of 59 s', { ttl: 59 }, '/ttl'],
    ['an empty policy', { policy: '' }, '/policy'],
    [
      'an unknown key in the grants',
      { grants: { mcp: { allow: [], max_mode: 'read' } } },
      '/grants/mcp/max_mode',
    ],
    [
      'a pattern with a star in the middle',
      { grants: { client: { allow: ['a*b'] } } },
      '/grants/client/allow/0',
    ],
    ['an unknown field', { visitorId: 'v' }, '/visitorId'],
  ])('SVE-1.1 refuses %s with a pointer to it', (_, body, pointer) => {
    expect(faults(body).map((fault) => fault.pointer)).toContain(pointer);
  });

  it.each([[[]], ['text'], [null]])('SVE-1.1 refuses a body that is no object: %j', (body) => {
    expect(faults(body)).toHaveLength(1);
  });
});
