import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import { hashOf } from '../people/secret.ts';
import { artifacts, grantIsGone, never, withItsGrant, type Keeping } from './artifacts.ts';

/** Where the authorization server keeps what it must remember: in our tables, secrets as hashes. */
export function adapters(keeping: Keeping): AdapterFactory {
  const kept: Readonly<Record<string, (keeping: Keeping) => Adapter>> = {
    AccessToken: accessTokens,
    Client: clients,
    Grant: grants,
  };
  return (kind) => kept[kind]?.(keeping) ?? artifacts(kind, keeping);
}

/** Access tokens, in the form in which callers are looked up. A use of its client and of its grant is noted with each. */
function accessTokens({ db, now }: Keeping): Adapter {
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

/** Clients that registered themselves. Of one with a metadata document nothing is read here: the document says what holds. */
function clients({ db, now }: Keeping): Adapter {
  return {
    ...unasked,
    async upsert(id, metadata) {
      await db
        .insertInto('oauth_client')
        .values({
          id,
          kind: 'registered',
          name: metadata.client_name ?? '',
          metadata: JSON.stringify(metadata),
          created_at: new Date(now()),
          last_used_at: null,
        })
        .execute();
    },

    async find(id) {
      const found = await db
        .selectFrom('oauth_client')
        .select('metadata')
        .where('id', '=', id)
        .where('kind', '=', 'registered')
        .executeTakeFirst();
      return found?.metadata as AdapterPayload | undefined;
    },
  };
}

/** What people allowed. With a grant goes everything that hangs on it. */
function grants({ db, now }: Keeping): Adapter {
  return {
    ...unasked,
    async upsert(id, payload, expiresIn = 0) {
      const [[audience, scope] = ['', '']] = Object.entries(payload['resources'] as Record<string, string>);
      const at = new Date(now());
      await db
        .insertInto('oauth_grant')
        .values({
          id,
          client_id: payload.clientId ?? '',
          person_id: payload.accountId ?? '',
          audience,
          scopes: scope.split(' '),
          payload: JSON.stringify(payload),
          created_at: at,
          expires_at: new Date(at.getTime() + expiresIn * 1000),
          last_used_at: at,
        })
        .execute();
    },

    async find(id) {
      const found = await db
        .selectFrom('oauth_grant')
        .select('payload')
        .where('id', '=', id)
        .executeTakeFirst();
      return found?.payload as AdapterPayload | undefined;
    },

    async destroy(id) {
      await db.deleteFrom('oauth_grant').where('id', '=', id).execute();
    },
  };
}

const unasked: Adapter = {
  upsert: never,
  find: never,
  findByUid: never,
  findByUserCode: never,
  consume: never,
  destroy: never,
  revokeByGrantId: never,
};

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
