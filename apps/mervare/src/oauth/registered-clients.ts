import type { Adapter, AdapterPayload } from 'oidc-provider';
import { unasked, type Keeping } from './keeping.ts';

/** Clients that registered themselves. Of one with a metadata document nothing is read here: the document says what holds. */
export function registeredClients({ db, now }: Keeping): Adapter {
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
