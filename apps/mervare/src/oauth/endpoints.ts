/** Where each endpoint stands. */
export const endpoints = {
  authorization: '/api/oauth/authorize',
  token: '/api/oauth/token',
  registration: '/api/oauth/register',
  revocation: '/api/oauth/revoke',
  jwks: '/api/oauth/jwks',
} as const;

/** Where a person decides on a request. */
export const CONSENT = '/oauth/consent';
