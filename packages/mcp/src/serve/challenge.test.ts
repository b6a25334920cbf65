import { expect, it } from 'vitest';
import { challenge } from './challenge.ts';

const resourceMetadata = 'https://h.test/.well-known/oauth-protected-resource/api/mcp';

it.each([
  [{}, 'Bearer'],
  [
    { resourceMetadata, scopes: ['author', 'reader'] },
    `Bearer resource_metadata="${resourceMetadata}", scope="author reader"`,
  ],
  [
    {
      resourceMetadata,
      error: 'invalid_token',
      description: 'The token "x\\y"\r\nSet-Cookie: a=b is expired.',
    },
    `Bearer error="invalid_token", error_description="The token xySet-Cookie: a=b is expired.", resource_metadata="${resourceMetadata}"`,
  ],
  [
    { error: 'insufficient_scope', scopes: ['builder'] },
    'Bearer error="insufficient_scope", scope="builder"',
  ],
] as const)('a challenge is one header value: %j', (parts, header) => {
  expect(challenge(parts)).toBe(header);
});
