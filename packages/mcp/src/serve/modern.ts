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
    const said = { supportedVersions: spoken.modern, capabilities, instructions, ...cacheHints };
    return complete(identity, said, meta);
  },

  list(identity, name, items, nextCursor) {
    return complete(identity, { [name]: items, nextCursor, ...cacheHints });
  },

  tool: (identity, _descriptor, { _meta: own, ...result }) => complete(identity, result, own),

  contents: (identity, contents) => complete(identity, { contents, ...cacheHints }),

  status: ({ code, status }) => status ?? (code === codes.methodNotFound ? 404 : 200),
};

/** Adds what every result carries. Beside a `_meta` of its own (rare), the server's part is appended as text. */
function complete({ serverInfo, serverInfoJson }: Identity, result: object, own?: object): string {
  if (own) {
    const meta = { ...own, [SERVER_INFO_META_KEY]: serverInfo };
    return JSON.stringify({ ...result, resultType: 'complete', _meta: meta });
  }
  const body = JSON.stringify(result).slice(0, -1);
  return `${body},"resultType":"complete","_meta":{"${SERVER_INFO_META_KEY}":${serverInfoJson}}}`;
}
