import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import type { Codec } from './codec.ts';
import { codes } from './fault.ts';
import type { Identity } from './identity.ts';

/** Results of lists and reads hold for this caller only and are stale at once: an entitlement may change. */
const cacheHints = { ttlMs: 0, cacheScope: 'private' } as const;

/** The wire form of 2026-07-28: every result names its type and its server, every fault has its HTTP status. */
export const modern: Codec = {
  era: 'modern',

  opening(identity, spoken) {
    const { capabilities, instructions, meta } = identity;
    return complete(identity, {
      supportedVersions: spoken.modern,
      capabilities,
      ...(instructions !== undefined && { instructions }),
      ...cacheHints,
      ...(meta && { _meta: meta }),
    });
  },

  list(identity, name, items, nextCursor) {
    return complete(identity, {
      [name]: items,
      ...(nextCursor !== undefined && { nextCursor }),
      ...cacheHints,
    });
  },

  tool: (identity, _descriptor, result) => complete(identity, result),

  contents: (identity, contents) => complete(identity, { contents, ...cacheHints }),

  status: ({ code, status }) => status ?? (code === codes.methodNotFound ? 404 : 200),
};

/** Adds what every result carries. The server's part is serialised once a surface and appended as text. */
function complete(identity: Identity, result: object): string {
  if ('_meta' in result && typeof result._meta === 'object') {
    const _meta = { ...result._meta, [SERVER_INFO_META_KEY]: identity.serverInfo };
    return JSON.stringify({ ...result, resultType: 'complete', _meta });
  }
  return `${JSON.stringify(result).slice(0, -1)},"resultType":"complete","_meta":{"${SERVER_INFO_META_KEY}":${identity.serverInfoJson}}}`;
}
