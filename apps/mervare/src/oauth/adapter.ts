import type { Adapter, AdapterFactory } from 'oidc-provider';
import { accessTokens } from './access-tokens.ts';
import { artifacts } from './artifacts.ts';
import { grants } from './grants.ts';
import type { Keeping } from './keeping.ts';
import { registeredClients } from './registered-clients.ts';

/** Where the authorization server keeps what it must remember: in our tables, secrets as hashes. */
export function adapters(keeping: Keeping): AdapterFactory {
  const kept: Readonly<Record<string, (keeping: Keeping) => Adapter>> = {
    AccessToken: accessTokens,
    Client: registeredClients,
    Grant: grants,
  };
  return (kind) => kept[kind]?.(keeping) ?? artifacts(kind, keeping);
}
