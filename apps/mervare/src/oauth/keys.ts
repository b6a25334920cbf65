import { createECDH } from 'node:crypto';
import type { SiteSecret } from '../secret/site-secret.ts';

/** The keys of the authorization server: they come from the site's secret, so every node has the same and the database has none. */
export interface Keys {
  /** A private key as a JWK. */
  readonly signing: object;
  readonly cookie: string;
}

/** The keys that belong to a secret. */
export function keysOf(secret: SiteSecret): Keys {
  return { signing: signingKey(secret('signing')), cookie: secret('consent').toString('base64url') };
}

/** Any 256 bits are a private key of P-256, but for one in four billion, which no random secret meets. */
function signingKey(d: Buffer): object {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(d);
  const point = pair.getPublicKey();
  const part = (bytes: Buffer) => bytes.toString('base64url');
  const [x, y] = [part(point.subarray(1, 33)), part(point.subarray(33))];
  return { kty: 'EC', crv: 'P-256', d: part(d), x, y, alg: 'ES256', use: 'sig' };
}
