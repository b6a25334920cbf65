import { offerServer } from './server.ts';

/** For `globalSetup` of vitest: one database server for all test files, only if one of them asks. */
export async function setup(): Promise<() => Promise<void>> {
  return offerServer(process.env);
}
