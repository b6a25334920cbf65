import { ConnectionFailure } from '@portolan/mcp/connect';

/** What the log holds of a failed connection. The words of the server stay out: they may repeat what it was told. */
export function loggedFailure(error: unknown): Readonly<Record<string, unknown>> {
  return error instanceof ConnectionFailure ? { code: error.code, failure: error.message } : { err: error };
}
