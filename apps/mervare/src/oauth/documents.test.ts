import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builderOnly, discovery, wide } from '../mcp/servers.ts';
import { harbour, logbook } from '../mcp/families.ts';
import { siteSecret } from '../secret/site-secret.ts';
import { testSite } from '../testing/site.ts';

let site: Awaited<ReturnType<typeof testSite>>;
beforeAll(async () => {
  site = await testSite();
});
afterAll(() => site.close());

const get = (path: string) => fetch(`${site.origin}${path}`, { redirect: 'manual' });
const read = async (path: string) => (await (await get(path)).json()) as Record<string, unknown>;

const WIDE_SCOPES = 'author publisher analyst reader harbour builder discovery control funding'.split(' ');

describe('documents of protected resources', () => {
  it('B-01 MER-20.1 each protected endpoint has its own document at the path-inserted location', async () => {
    const atRoot = await read('/.well-known/oauth-protected-resource');
    const ofWide = await read('/.well-known/oauth-protected-resource/api/mcp');
    const ofBuilder = await read('/.well-known/oauth-protected-resource/api/mcp/builder');
    expect(ofWide).toEqual({
      resource: `${site.origin}/api/mcp`,
      authorization_servers: [site.origin],
      scopes_supported: WIDE_SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'The wide door',
      resource_documentation: `${site.origin}/developers/mcp`,
    });
    expect(atRoot).toEqual(ofWide);
    expect(ofBuilder).toMatchObject({
      resource: `${site.origin}/api/mcp/builder`,
      scopes_supported: ['builder'],
    });
  });

  it('B-01 the challenge of an endpoint points at the document that names it', async () => {
    for (const endpoint of ['/api/mcp', '/api/mcp/builder']) {
      const refused = await fetch(`${site.origin}${endpoint}`, { method: 'POST', body: '{}' });
      expect(refused.status).toBe(401);
      const challenge = refused.headers.get('www-authenticate') ?? '';
      const document = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
      expect(await (await fetch(document)).json()).toMatchObject({ resource: `${site.origin}${endpoint}` });
    }
  });

  it('B-01 a trailing slash names the same document; a path that is no protected endpoint has none', async () => {
    for (const path of ['/oauth-protected-resource', '/oauth-protected-resource/api/mcp'])
      expect(await read(`/.well-known${path}/`)).toEqual(await read(`/.well-known${path}`));
    for (const path of [
      '/.well-known/oauth-protected-resource/api/mcp/discovery',
      '/.well-known/oauth-protected-resource/api/mcp/other',
      '/.well-known/oauth-protected-resource/api',
      '/.well-known/oauth-authorization-server/api/mcp',
      '/.well-known/openid-configuration/api/mcp',
      '/.well-known/something',
      '/api/oauth',
      '/api/oauth/userinfo',
      '/api/oauth/par',
      '/api/oauth/end-session',
      '/api/oauth/register/some-client',
    ]) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toMatchObject({ error: 'not_found' });
    }
  });
});

describe('the document of the authorization server', () => {
  it('MER-20.2 stands at both addresses, exactly', async () => {
    const document = await read('/.well-known/oauth-authorization-server');
    const at = (path: string) => `${site.origin}/api/oauth/${path}`;
    expect(document).toEqual({
      issuer: site.origin,
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      registration_endpoint: at('register'),
      revocation_endpoint: at('revoke'),
      jwks_uri: at('jwks'),
      scopes_supported: WIDE_SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'fragment'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      protected_resources: [`${site.origin}/api/mcp`, `${site.origin}/api/mcp/builder`],
      service_documentation: `${site.origin}/developers/mcp`,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    });
    expect(await read('/.well-known/openid-configuration')).toEqual(document);
  });

  it('MER-20.2 the keys that it names are public, and come from the secret of the site', async () => {
    const { keys } = (await read('/api/oauth/jwks')) as { keys: Record<string, unknown>[] };
    expect(keys).toEqual([expect.objectContaining({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' })]);
    expect(keys[0]).not.toHaveProperty('d');
    for (const [secret, same] of [
      ['a secret of the tests', true],
      ['another secret of the tests', false],
    ] as const) {
      const node = await testSite(undefined, undefined, { secret: siteSecret(secret) }, site.register);
      const of = (await (await fetch(`${node.origin}/api/oauth/jwks`)).json()) as { keys: typeof keys };
      await node.close();
      expect(of.keys[0]?.['x'] === keys[0]?.['x']).toBe(same);
    }
  });
});

it('MER-20.3 the documents follow the registry: without a family its scopes are gone, without a server its document', async () => {
  const small = { ...wide, families: [harbour, logbook] };
  const other = await testSite([small, discovery]);
  try {
    const document = await (await fetch(`${other.origin}/.well-known/oauth-protected-resource`)).json();
    expect(document).toMatchObject({ scopes_supported: ['harbour', 'discovery'] });
    const gone = await fetch(`${other.origin}/.well-known/oauth-protected-resource${builderOnly.endpoint}`);
    expect(gone.status).toBe(404);
  } finally {
    await other.close();
  }
});

describe('pages of other sites', () => {
  const asked = 'authorization,content-type,mcp-protocol-version,mcp-session-id,last-event-id';

  it('B-07 may ask first, without a credential, at documents, registration and token endpoint', async () => {
    for (const [path, method] of [
      ['/.well-known/oauth-protected-resource', 'GET'],
      ['/.well-known/oauth-protected-resource/api/mcp/builder', 'GET'],
      ['/.well-known/oauth-authorization-server', 'GET'],
      ['/.well-known/openid-configuration', 'GET'],
      ['/api/oauth/register', 'POST'],
      ['/api/oauth/token', 'POST'],
      ['/api/oauth/revoke', 'POST'],
    ] as const) {
      const response = await fetch(`${site.origin}${path}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://inspector.example',
          'access-control-request-method': method,
          'access-control-request-headers': asked,
        },
      });
      const { headers, status } = response;
      expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 204, '*']);
      expect(headers.get('access-control-allow-methods')).toContain(method);
      const allowed = headers.get('access-control-allow-headers')?.split(', ') ?? [];
      expect(allowed).toEqual(expect.arrayContaining(asked.split(',')));
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('B-07 may read the answers, also the refusing ones', async () => {
    const headers = { origin: 'https://inspector.example' };
    const answers = await Promise.all([
      fetch(`${site.origin}/.well-known/oauth-authorization-server`, { headers }),
      fetch(`${site.origin}/api/oauth/register`, { method: 'POST', headers, body: '{}' }),
      fetch(`${site.origin}/api/oauth/token`, {
        method: 'POST',
        headers,
        body: new URLSearchParams({ a: 'b' }),
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400]);
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('B-07 are not let into sign-in, consent or connections', async () => {
    for (const path of [
      '/login',
      '/oauth/consent/some-request',
      '/account/connections',
      '/api/oauth/authorize',
    ]) {
      const response = await fetch(`${site.origin}${path}`, {
        headers: { origin: 'https://inspector.example' },
        redirect: 'manual',
      });
      expect([path, response.headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  });
});
