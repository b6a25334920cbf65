import type { Configuration } from 'oidc-provider';

/** What of the library is on, but for the resources. All that would tell who a person is stays off. */
export function features(): Configuration['features'] {
  const asked = new WeakSet<object>();
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    revocation: {
      enabled: true,
      allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
    },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      cacheDuration: { min: 600, max: 86_400 },
      // Once a request: after a failure the library would ask again only to say what failed.
      allowFetch: async (ctx?: object) => {
        const again = ctx !== undefined && asked.has(ctx);
        if (ctx !== undefined) asked.add(ctx);
        return !again;
      },
    },
  };
}
