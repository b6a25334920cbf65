import { PublicFetchError, type Logger, type publicFetch } from '@portolan/http';
import { clientMetadata } from './client-metadata.ts';

/** Reads the metadata document of a client whose id is an address. */
export type ReadDocument = (address: string) => Promise<Response>;

/**
 * Bounds of a document. Where nobody has come for a while, its host may take seconds to wake. Redirects are not followed: a document
 * stands at its client's id and nowhere else.
 */
const bounds = { maxBytes: 16 * 1024, timeoutMs: 5000, redirects: 0 };

/**
 * Reads documents from the open internet, and from networks that the operator named. What holds of a document is decided by the
 * same rule as for a registration, so the answer carries that and not what stood there.
 */
export function documentReader(
  fetchPublic: typeof publicFetch,
  also: readonly string[],
  log: Logger,
): ReadDocument {
  return async (address) => {
    const options = { ...bounds, also, headers: { accept: 'application/json' } };
    const answer = await fetchPublic(address, options).catch((error: unknown) => {
      if (error instanceof PublicFetchError)
        log.info({ client: address, code: error.code }, 'client document not read');
      throw error;
    });
    const { status, headers, body } = answer;
    if (status !== 200) return new Response(null, { status });
    const said = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    const metadata = clientMetadata(said);
    if ('error' in metadata) throw new Error(metadata.error_description);
    const cache = headers.get('cache-control');
    return Response.json(
      { client_id: said['client_id'], ...metadata },
      cache === null ? {} : { headers: { 'cache-control': cache } },
    );
  };
}
