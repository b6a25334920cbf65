import { Writable } from 'node:stream';
import { createLog } from '@portolan/http';
import { testStore } from '@portolan/store/testing';
import { readConfig } from '../config.ts';
import { ANONYMOUS_ROLE, type PublicTables } from '../harbour/tables.ts';
import { servers, type Server } from '../mcp/servers.ts';
import { migrations } from '../migrations.ts';
import { siteSecret } from '../secret/site-secret.ts';
import { openSite } from '../site.ts';
import type { SiteTables } from '../tables.ts';

/** The register in a database of its own, as the site and as an anonymous caller see it. */
export async function testRegister() {
  const store = await testStore<SiteTables>({ app: 'mervare', migrations });
  const anonymous = await store.connectAs<PublicTables>(ANONYMOUS_ROLE);
  return {
    db: store.db,
    prepare: store.prepare,
    listen: store.listen,
    /** For a node in a process of its own. */
    url: store.url,
    anonymous: anonymous.db,
    async close() {
      await anonymous.close();
      await store.close();
    },
  };
}

/**
 * The whole site on a real port over a real database, its own unless it shares one as a further node, with these variables set.
 * `logged` collects what it writes to its log.
 */
export async function testSite(
  registry: readonly Server[] = servers,
  variables: Readonly<Record<string, string>> = {},
  world: Partial<Pick<Parameters<typeof openSite>[1], 'now' | 'fetchPublic' | 'secret'>> = {},
  shared?: Awaited<ReturnType<typeof testRegister>>,
) {
  const register = shared ?? (await testRegister());
  const logged: string[] = [];
  const destination = new Writable({
    write(line: Buffer, _encoding, done) {
      logged.push(line.toString());
      done();
    },
  });
  const { config } = readConfig(variables, { port: '0' });
  if (!config) throw new Error('The configuration has a fault.');
  const { origin, listener } = await openSite(config, {
    harbours: register.anonymous,
    db: register.db,
    prepare: register.prepare,
    servers: registry,
    secret: siteSecret('a secret of the tests'),
    log: createLog({ name: 'mervare', destination }),
    ...world,
  });
  return {
    origin,
    /** Where it is reached in the test, also where its origin is set to another. */
    listening: listener.origin,
    logged,
    register,
    async close() {
      await listener.close({ graceMs: 1000 });
      if (shared === undefined) await register.close();
    },
  };
}
