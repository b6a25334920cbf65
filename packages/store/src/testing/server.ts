import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openMembership } from '../embedded/membership.ts';
import { dropDatabases } from './admin.ts';
import { sweep, temporaryFolder } from './folder.ts';

/** The server of one test run, as the process of a test file learns it. */
export interface TestServer {
  /** A database of the server whose user may make databases and roles. */
  readonly url: string;
  /** Begins the name of every database of this run. */
  readonly prefix: string;
}

/** Where a test file asks for the server: the path of a unix socket, set for all processes of a run. */
const ASK = 'PORTOLAN_TEST_SERVER';

/**
 * Offers one server to all test files of a run, started when the first of them asks for it: PORTOLAN_TEST_DATABASE_URL if that is set,
 * else an embedded one in a temporary folder. Returns the end of the offer.
 */
export async function offerServer(env: NodeJS.ProcessEnv): Promise<() => Promise<void>> {
  await sweep();
  const folder = await temporaryFolder();
  let started: Promise<Started> | undefined;
  const door = createServer((socket) => {
    // Whoever asked may have been ended meanwhile.
    socket.on('error', () => undefined);
    started ??= startServer(folder.path, env.PORTOLAN_TEST_DATABASE_URL);
    started.then(
      ({ server }) => socket.end(JSON.stringify(server)),
      (error: unknown) => socket.end(JSON.stringify({ failure: String(error) })),
    );
  });
  const before = env[ASK];
  door.listen(join(folder.path, 'ask'));
  await once(door, 'listening');
  env[ASK] = join(folder.path, 'ask');
  return async () => {
    door.close();
    if (before === undefined) delete env[ASK];
    else env[ASK] = before;
    const running = await started?.catch(() => undefined);
    await running?.stop();
    await folder.remove();
  };
}

/** Called in a test file's process. */
export async function askForServer(): Promise<TestServer> {
  const path = process.env[ASK];
  if (path === undefined)
    throw new Error('No test server: packages/store/src/testing/global.ts is not in globalSetup');
  const answer = JSON.parse(await text(connect(path))) as TestServer | { failure: string };
  if ('failure' in answer) throw new Error(`The test server did not start: ${answer.failure}`);
  return answer;
}

interface Started {
  readonly server: TestServer;
  readonly stop: () => Promise<void>;
}

async function startServer(folder: string, given: string | undefined): Promise<Started> {
  const prefix = `pt_${randomBytes(4).toString('hex')}`;
  if (given !== undefined)
    return { server: { url: given, prefix }, stop: () => dropDatabases(given, prefix) };
  const { access, leave } = await openMembership({
    dataDir: folder,
    app: 'portolan_test',
    log: () => undefined,
    signal: new AbortController().signal,
  });
  const socket = encodeURIComponent(await access.locate());
  const url = `postgres://${access.user}:${access.password}@localhost/${access.database}?host=${socket}`;
  return { server: { url, prefix }, stop: leave };
}
