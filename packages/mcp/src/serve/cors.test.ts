import { expect, it } from 'vitest';
import { corsHeaders, preflightHeaders } from './cors.ts';

it('B-07 lets any page read the answer and why it was refused, without ambient credentials', () => {
  expect(corsHeaders).toEqual({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version',
  });
});

it('B-07 allows the headers of every MCP client in a preflight', () => {
  const asked = 'authorization,content-type,mcp-protocol-version,mcp-session-id,last-event-id';
  expect(preflightHeaders(['POST'], asked)).toEqual({
    ...corsHeaders,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers':
      'authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id',
    'access-control-max-age': '7200',
    vary: 'Access-Control-Request-Headers',
  });
});

it('allows the header parameters that are asked for, and nothing else that is', () => {
  const { 'access-control-allow-headers': allowed = '' } = preflightHeaders(
    ['POST'],
    'Mcp-Param-Region, x-evil, mcp-param-, mcp-param-a\r\nb',
  );
  expect(allowed.split(', ').slice(7)).toEqual(['mcp-param-region']);
});
