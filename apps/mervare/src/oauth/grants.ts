import type { Adapter, AdapterPayload } from 'oidc-provider';
import { unasked, type Keeping } from './keeping.ts';

/** What people allowed. With a grant goes everything that hangs on it. */
export function grants({ db, now }: Keeping): Adapter {
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
