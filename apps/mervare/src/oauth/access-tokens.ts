import type { Adapter } from 'oidc-provider';
import { hashOf } from '../people/secret.ts';
import { grantIsGone, withItsGrant } from './artifacts.ts';
import { unasked, type Keeping } from './keeping.ts';

/** Access tokens, in the form in which callers are looked up. A use of its client and of its grant is noted with each. */
export function accessTokens({ db, now }: Keeping): Adapter {
  return {
    ...unasked,
    async upsert(token, { grantId = '', clientId = '', accountId = '', aud, scope = '' }, expiresIn = 0) {
      const at = new Date(now());
      await db
        .insertInto('oauth_access_token')
        .values({
          token_hash: hashOf(token),
          grant_id: grantId,
          client_id: clientId,
          person_id: accountId,
          audience: String(aud),
          scopes: scope.split(' '),
          issued_at: at,
          expires_at: new Date(at.getTime() + expiresIn * 1000),
          revoked_at: null,
        })
        .execute()
        .catch(grantIsGone);
      await db.updateTable('oauth_grant').set({ last_used_at: at }).where('id', '=', grantId).execute();
      await db.updateTable('oauth_client').set({ last_used_at: at }).where('id', '=', clientId).execute();
    },

    async find(token) {
      const found = await db
        .selectFrom('oauth_access_token')
        .selectAll()
        .where('token_hash', '=', hashOf(token))
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      return (
        found && {
          kind: 'AccessToken',
          format: 'opaque',
          jti: token,
          grantId: found.grant_id,
          clientId: found.client_id,
          accountId: found.person_id,
          aud: found.audience,
          scope: found.scopes.join(' '),
          iat: seconds(found.issued_at),
          exp: seconds(found.expires_at),
        }
      );
    },

    async destroy(token) {
      await db
        .updateTable('oauth_access_token')
        .set({ revoked_at: new Date(now()) })
        .where('token_hash', '=', hashOf(token))
        .execute();
    },

    revokeByGrantId: withItsGrant,
  };
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
